import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { importedTasks, imports } from '../../schema/cell/imports.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { createOffenderQuery, type Invariant } from './invariant.queries.ts';

const e = aliasTable(importedTasks, 'e');
const i = aliasTable(imports, 'i');
const m = aliasTable(members, 'm');

export const importInvariants: readonly Invariant[] = [
  {
    name: 'every import belongs to a member of its workspace, and its task count matches the tasks that it created',
    offenders: createOffenderQuery(sql`
      SELECT 'import ' || ${i.id} || ' belongs to no member of its workspace, or has the wrong task count' AS offender FROM ${i}
      LEFT JOIN (SELECT ${e.import} AS id, count(*) AS created FROM ${e} GROUP BY ${e.import}) c ON c.id = ${i.id}
      WHERE ${i.made} <> coalesce(c.created, 0) OR ${i.made} + ${i.existing} > ${i.total}
        OR NOT EXISTS (SELECT 1 FROM ${m} WHERE ${m.no} = ${i.member} AND ${m.ws} = ${i.ws})`),
  },
];
