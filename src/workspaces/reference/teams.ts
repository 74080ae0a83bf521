import * as z from 'zod';
import { buildPage, buildPageSchema, pageInput, toRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import * as queries from './reference.queries.ts';
import { team } from './reference.schema.ts';

export const listTeams = defineOperation(
  {
    name: 'listTeams',
    summary: 'List teams with their members',
    description: 'If a team has a `parentId`, it is a subteam of the team with that id.',
    access: 'projects:read',
    capability: 'seeReference',
    effect: 'read',
    input: z.strictObject(pageInput),
    output: buildPageSchema(team).meta({ id: 'TeamPage' }),
  },
  async ({ db, caller }, input) => {
    const range = toRange(input, 2);
    const [rows, total, members] = await db.batch([
      queries.listTeams(caller, range),
      queries.countTeams(caller),
      queries.listTeamMembers(caller, range),
    ]);
    const byTeam = Map.groupBy(members, (member) => member.team_id);
    return buildPage({
      range,
      total,
      rows,
      key: (row) => [row.name, row.id],
      show: ({ id, name, parent_id }) => ({ id, name, parentId: parent_id, members: byTeam.get(id) ?? [] }),
    });
  },
);
