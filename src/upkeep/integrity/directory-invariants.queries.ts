import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { cellSizes, memberships, workspacePlacements } from '../../schema/cell/workspaces.ts';
import { users } from '../../schema/directory/accounts.ts';
import { browserSessions } from '../../schema/directory/browser-sessions.ts';
import { accountLinks, pictures } from '../../schema/directory/own-account.ts';
import { createOffenderQuery, type Invariant, selectCounterErrors } from './invariant.queries.ts';

const l = aliasTable(accountLinks, 'l');
const picture = aliasTable(pictures, 'p');
const session = aliasTable(browserSessions, 's');
const membership = aliasTable(memberships, 'p');
const user = aliasTable(users, 'u');
const w = aliasTable(workspacePlacements, 'w');

export const directoryInvariants: readonly Invariant[] = [
  {
    name: 'memberships refer to existing people and workspaces',
    offenders: createOffenderQuery(sql`
      SELECT 'membership of ' || ${membership.user_id} || ' in ' || ${membership.workspace_id} || ' refers to a missing account or workspace' AS offender
      FROM ${membership}
      WHERE NOT EXISTS (SELECT 1 FROM ${user} WHERE ${user.id} = ${membership.user_id})
        OR NOT EXISTS (SELECT 1 FROM ${w} WHERE ${w.id} = ${membership.workspace_id})`),
  },
  {
    name: 'every workspace has a member',
    offenders: createOffenderQuery(sql`
      SELECT 'workspace ' || ${w.id} || ' has no member' AS offender FROM ${w}
      WHERE NOT EXISTS (SELECT 1 FROM ${membership} WHERE ${membership.workspace_id} = ${w.id})`),
  },
  {
    name: 'the size of a cell is the number of its workspaces',
    offenders: createOffenderQuery(
      selectCounterErrors(
        'cell_sizes',
        ['cell'],
        ['workspaces'],
        sql`SELECT ${cellSizes.cell}, ${cellSizes.workspaces} FROM ${cellSizes}
        UNION ALL SELECT ${workspacePlacements.cell}, -count(*) FROM ${workspacePlacements} GROUP BY ${workspacePlacements.cell}`,
      ),
    ),
  },
  {
    name: 'deleted accounts keep their id and nothing else',
    offenders: createOffenderQuery(sql`
      SELECT 'account ' || ${user.id} || ' was deleted and keeps a name, an email address or a password' AS offender
        FROM ${user}
      WHERE ${user.deleted_at} IS NOT NULL AND (${user.name} <> 'Former member'
        OR ${user.email} <> ${user.id} || '@deleted.invalid'
        OR ${user.image} IS NOT NULL OR ${user.password_hash} IS NOT NULL)
      UNION ALL
      SELECT 'account ' || ${user.id} || ' was deleted and is signed in' FROM ${user}
      CROSS JOIN ${session} ON ${session.user_id} = ${user.id} WHERE ${user.deleted_at} IS NOT NULL`),
  },
  {
    name: 'emailed links and pictures belong to existing accounts',
    offenders: createOffenderQuery(sql`
      SELECT 'a link belongs to ' || ${l.user_id} || ', who has no account' AS offender FROM ${l}
      WHERE NOT EXISTS (SELECT 1 FROM ${user} WHERE ${user.id} = ${l.user_id} AND ${user.deleted_at} IS NULL)
      UNION ALL
      SELECT 'picture ' || ${picture.id} || ' belongs to ' || ${picture.user_id} || ', who has no account' FROM ${picture}
      WHERE NOT EXISTS (SELECT 1 FROM ${user} WHERE ${user.id} = ${picture.user_id})`),
  },
];
