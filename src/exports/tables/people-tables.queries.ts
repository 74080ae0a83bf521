import { isAfter } from '../../kernel/lists/pagination.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { readRows } from '../../kernel/sql/database.ts';
import { aliasLeftJoinedTable, aliasTable, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { bots } from '../../schema/cell/bots.ts';
import { teamMembers, teams } from '../../schema/cell/reference.ts';
import { members, workspaces } from '../../schema/cell/workspaces.ts';
import { ROWS_MAX } from './limits.queries.ts';
import { defineTable, toUserId } from './table.ts';

const b = aliasLeftJoinedTable(bots, 'b');
const m = aliasTable(members, 'm');
const n = aliasTable(teamMembers, 'n');
const t = aliasTable(teams, 't');
const w = aliasTable(workspaces, 'w');

const workspaceColumns = selectColumns({
  no: w.no,
  id: w.id,
  name: w.name,
  timezone: w.timezone,
  hours: w.daily_capacity_hours,
  created_at: w.created_at,
});

export const workspaceTable = defineTable({
  name: 'workspace',
  description: 'The settings of the workspace, on a single line.',
  read: ({ ws, after }) =>
    readRows(sql`
      SELECT ${workspaceColumns} FROM ${w} WHERE ${w.no} = ${ws} AND ${isAfter({ after }, [{ column: w.no }])}`),
  key: ({ no }) => [no],
  show: ({ id, name, timezone, hours, created_at }) => ({
    ...{ id, name, timezone },
    dailyCapacityHours: hours,
    createdAt: toTimestamp(created_at),
  }),
});

const personColumns = selectColumns({
  no: m.no,
  id: m.user_id,
  name: m.name,
  email: m.email,
  role: m.role,
  created_at: m.created_at,
  ended_at: m.ended_at,
  bot: b.icon,
  accountable: b.accountable,
});

export const peopleTable = defineTable({
  name: 'people',
  description:
    'People and bots, including those who have left (`leftAt`), because other files refer to them. `accountableId` is the person who is accountable for a bot.',
  read: ({ ws, after }) =>
    readRows(sql`
      SELECT ${personColumns} FROM ${m} INDEXED BY members_by_workspace LEFT JOIN ${b} ON ${b.member} = ${m.no}
      WHERE ${m.ws} = ${ws} AND ${isAfter({ after }, [{ column: m.user_id }])}
      ORDER BY ${m.user_id} LIMIT ${ROWS_MAX}`),
  key: ({ id }) => [id],
  show: ({ id, name, email, role, created_at, ended_at, bot, accountable }, lookups) => ({
    ...{ id, name, email, role },
    isBot: bot !== null,
    accountableId: toUserId(lookups, accountable),
    joinedAt: toTimestamp(created_at),
    leftAt: ended_at === null ? null : toTimestamp(ended_at),
  }),
  isOwn: ({ no }, member) => no === member,
});

const teamColumns = selectColumns({ id: t.id, name: t.name, parent: t.parent });

export const teamsTable = defineTable({
  name: 'teams',
  description: 'Teams. `parentId` is the team that contains this one.',
  read: ({ ws, after }) =>
    readRows(sql`
      SELECT ${teamColumns} FROM ${t} INDEXED BY teams_by_workspace
      WHERE ${t.ws} = ${ws} AND ${isAfter({ after }, [{ column: t.id }])} ORDER BY ${t.id} LIMIT ${ROWS_MAX}`),
  key: ({ id }) => [id],
  show: ({ id, name, parent }) => ({ id, name, parentId: parent }),
});

const teamMemberColumns = selectColumns({ team: n.team, member: n.member, role: n.role });

export const teamMembersTable = defineTable({
  name: 'team-members',
  description: 'Who is in which team, and in which role.',
  read: ({ ws, after }) =>
    readRows(sql`
      SELECT ${teamMemberColumns} FROM ${t} INDEXED BY teams_by_workspace CROSS JOIN ${n} ON ${n.team} = ${t.id}
      WHERE ${t.ws} = ${ws} AND ${isAfter({ after }, [{ column: t.id }, { column: n.member }])}
      ORDER BY ${t.id}, ${n.member} LIMIT ${ROWS_MAX}`),
  key: ({ team, member }) => [team, member],
  show: ({ team, member, role }, lookups) => ({ teamId: team, userId: toUserId(lookups, member), role }),
  isOwn: (row, member) => row.member === member,
});
