import type { Caller } from '../../kernel/access/access.ts';
import { readRow } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { invitations } from '../../schema/cell/invitations.ts';
import { projects } from '../../schema/cell/projects.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';
import { starterProject } from '../directory/workspace-defaults.ts';

const am = aliasTable(activeMembers, 'am');
const c = aliasTable(credentials, 'c');
const i = aliasTable(invitations, 'i');
const p = aliasTable(projects, 'p');

const selectExists = (found: SQL) => withType<0 | 1>(sql`EXISTS (SELECT 1 FROM ${found})`);

export function findCompletedSteps({ workspace, member }: Caller) {
  const hasOwnCredential = (kind: 'api_key' | 'oauth') =>
    selectExists(sql`${c} WHERE ${c.member} = ${member} AND ${c.ws} = ${workspace} AND ${c.kind} = ${kind}
      AND ${c.revoked_at} IS NULL`);
  return readRow(sql`
    SELECT ${selectColumns({
      // A new workspace contains a starter project. Renaming that project counts as creating one.
      project: selectExists(sql`${p} WHERE ${p.ws} = ${workspace} AND ${p.name} <> ${starterProject.name}`),
      colleague: selectExists(sql`${am} WHERE ${am.ws} = ${workspace} AND ${am.no} <> ${member}`),
      invitation: selectExists(sql`${i} WHERE ${i.ws} = ${workspace} AND ${i.ended_at} IS NULL`),
      agent: hasOwnCredential('oauth'),
      key: hasOwnCredential('api_key'),
    })}`);
}
