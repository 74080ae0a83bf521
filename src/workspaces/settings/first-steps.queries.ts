import type { Caller } from '../../kernel/access/access.ts';
import { row } from '../../kernel/sql/database.ts';
import { columns, names, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { invitations } from '../../schema/cell/invitations.ts';
import { projects } from '../../schema/cell/projects.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';
import { starterProject } from '../directory/defaults.ts';

const am = names(activeMembers, 'am');
const c = names(credentials, 'c');
const i = names(invitations, 'i');
const p = names(projects, 'p');

const selectExists = (found: SQL) => typed<0 | 1>(sql`EXISTS (SELECT 1 FROM ${found})`);

export function findStepsTaken({ workspace, member }: Caller) {
  const ownCredential = (kind: 'api_key' | 'oauth') =>
    selectExists(sql`${c} WHERE ${c.member} = ${member} AND ${c.ws} = ${workspace} AND ${c.kind} = ${kind}
      AND ${c.revoked_at} IS NULL`);
  return row(sql`
    SELECT ${columns({
      // Every workspace starts with one project. Renaming it counts as creating a project.
      project: selectExists(sql`${p} WHERE ${p.ws} = ${workspace} AND ${p.name} <> ${starterProject.name}`),
      colleague: selectExists(sql`${am} WHERE ${am.ws} = ${workspace} AND ${am.no} <> ${member}`),
      invitation: selectExists(sql`${i} WHERE ${i.ws} = ${workspace} AND ${i.ended_at} IS NULL`),
      agent: ownCredential('oauth'),
      key: ownCredential('api_key'),
    })}`);
}
