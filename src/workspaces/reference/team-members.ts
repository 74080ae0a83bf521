import * as z from 'zod';
import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildToolLine } from '../../kernel/text/tool-text.ts';
import type { ToolContext } from '../../kernel/tools/tool.ts';
import type { team } from './reference.schema.ts';
import { listTeams } from './teams.ts';

type Team = z.output<typeof team>;

const PEOPLE_MAX = 50;
const CANDIDATES_SHOWN_MAX = 10;

export const teamReference = z.union([z.int().min(0), z.string().min(1).max(100)]);

export async function findTeamMembers(ctx: ToolContext, reference: string | number): Promise<string[]> {
  const teams = await listAllTeams(ctx);
  const chosen = resolveTeam(reference, teams);
  const people = new Set(
    listTeamWithSubteams(chosen, teams).flatMap(({ members }) => members.map(({ id }) => id)),
  );
  if (people.size <= PEOPLE_MAX) return [...people];
  throw invalidRequestError(
    `team must have at most ${PEOPLE_MAX} people; ${quoteValue(chosen.name)} has ${people.size}. Name a subteam, or send assignee.`,
  );
}

async function listAllTeams(ctx: ToolContext): Promise<Team[]> {
  const teams: Team[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await ctx.list(listTeams, { limit: 100, ...(cursor !== undefined && { cursor }) });
    teams.push(...page.data);
    cursor = page.nextCursor;
  }
  return teams;
}

function resolveTeam(reference: string | number, teams: readonly Team[]): Team {
  const wanted = String(reference).trim().toLowerCase();
  const byId = teams.filter(({ id }) => String(id) === wanted);
  const matches = byId.length > 0 ? byId : teams.filter(({ name }) => name.toLowerCase() === wanted);
  const [only, ...others] = matches;
  if (only && others.length === 0) return only;
  const near = matches.length > 0 ? matches : teams.filter(({ name }) => name.toLowerCase().includes(wanted));
  const candidates = (near.length > 0 ? near : teams).slice(0, CANDIDATES_SHOWN_MAX);
  throw invalidRequestError(
    [
      `${matches.length > 0 ? `${matches.length} teams are named` : 'No team is named'} ${quoteValue(String(reference))}. Send a team's id. list_reference (kind teams) lists all teams. Candidates:`,
      ...candidates.map(({ id, name }) => `- ${buildToolLine(id, name)}`),
    ].join('\n'),
  );
}

function listTeamWithSubteams(top: Team, teams: readonly Team[]): Team[] {
  const found = [top];
  // Also iterates over the subteams that the loop itself adds, so that nested subteams are found.
  for (const { id } of found)
    found.push(...teams.filter((each) => each.parentId === id && !found.includes(each)));
  return found;
}
