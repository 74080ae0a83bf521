import { z } from 'zod';
import { operation } from '../kernel/operation.ts';
import { page, pageInput, pageOf } from '../kernel/pagination.ts';
import * as queries from './reference.queries.ts';
import { team } from './reference.schema.ts';

export const listTeams = operation(
  {
    name: 'listTeams',
    summary: 'List the teams of the workspace with their members',
    access: 'projects:read',
    effect: 'read',
    input: z.strictObject(pageInput),
    output: pageOf(team),
  },
  async ({ db, caller }, input) => {
    const [teams, total, members] = await db.batch([
      queries.listTeams(caller, input),
      queries.countTeams(caller),
      queries.listMembersOfTeams(caller, input),
    ]);
    const byTeam = Map.groupBy(members, (member) => member.teamId);
    const items = teams.map((row) => ({ ...row, members: byTeam.get(row.id) ?? [] }));
    return page(items, total, input);
  },
);
