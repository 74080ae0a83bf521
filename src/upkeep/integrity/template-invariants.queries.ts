import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { templates } from '../../schema/cell/templates.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { createOffenderQuery, type Invariant } from './invariant.queries.ts';

const m = aliasTable(members, 'm');
const p = aliasTable(projects, 'p');
const t = aliasTable(templates, 't');

const items = sql`items (template, id, parent) AS MATERIALIZED (
  SELECT ${t.id}, i.value ->> 'id', i.value ->> 'parent' FROM ${t} CROSS JOIN json_each(${t.content}, '$.tasks') i)`;
const relations = sql`relations (template, source, target) AS MATERIALIZED (
  SELECT ${t.id}, r.value ->> 'source', r.value ->> 'target' FROM ${t} CROSS JOIN json_each(${t.content}, '$.relations') r)`;

export const templateInvariants: readonly Invariant[] = [
  {
    name: 'templates belong to a member of their workspace, and apply to one of its projects or to all of them',
    offenders: createOffenderQuery(sql`
      SELECT 'template ' || ${t.id} || ' belongs to no member or project of its workspace' AS offender FROM ${t}
      WHERE NOT EXISTS (SELECT 1 FROM ${m} WHERE ${m.no} = ${t.creator} AND ${m.ws} = ${t.ws})
        OR ${t.project} IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM ${p} WHERE ${p.id} = ${t.project} AND abs(${p.ws}) = ${t.ws})`),
  },
  {
    name: 'a task template has one root task, and all other tasks are its descendants',
    offenders: createOffenderQuery(sql`
      WITH ${items}
      SELECT 'template ' || ${t.id} || ' has no root task, or several' AS offender
      FROM ${t} LEFT JOIN items i ON i.template = ${t.id} AND i.parent IS NULL
      WHERE ${t.kind} = 'task' GROUP BY ${t.id} HAVING count(i.id) <> 1`),
  },
  {
    name: 'parents and relations in a template refer only to its tasks',
    offenders: createOffenderQuery(sql`
      WITH ${items}, ${relations}
      SELECT 'task ' || i.id || ' of template ' || i.template || ' has an unknown parent, or one after it' AS offender
      FROM items i LEFT JOIN items p ON p.template = i.template AND p.id = i.parent
      WHERE i.parent IS NOT NULL AND (p.id IS NULL OR p.id >= i.id)
      UNION ALL
      SELECT 'template ' || r.template || ' has a relation with an unknown task' FROM relations r
      LEFT JOIN items s ON s.template = r.template AND s.id = r.source
      LEFT JOIN items o ON o.template = r.template AND o.id = r.target
      WHERE s.id IS NULL OR o.id IS NULL OR s.id = o.id`),
  },
];
