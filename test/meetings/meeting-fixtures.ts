import { createExecutionContext } from 'cloudflare:test';
import { parseEnv } from '../../src/env.ts';
import { createRequestScope } from '../../src/kernel/operation/request-scope.ts';
import { unlimitedAllowance } from '../../src/kernel/sql/budget.ts';
import { generateOccurrences } from '../../src/meetings/operations/occurrences.ts';
import { type ApiResponse, api } from '../support/api.ts';
import { env, getCell } from '../support/env.ts';
import type { Person, World } from '../support/world.ts';

export const WEEKLY_RULE = 'FREQ=WEEKLY;BYDAY=MO';
export const MONDAY = '2026-03-02';

/** Returns a request body for a meeting of the lead and the member in the project "Joined", on a Monday at 09:00. */
export function buildMeetingBody(
  world: World,
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  const { lead, member } = world.people;
  return {
    projectId: world.projects.joined.id,
    name: 'Weekly sync',
    date: MONDAY,
    time: '09:00',
    participantIds: [lead.userId, member.userId],
    ...fields,
  };
}

export async function createMeeting(
  world: World,
  fields: Record<string, unknown> = {},
  by: Person = world.people.lead,
): Promise<ApiResponse['body']> {
  const answer = await api(by.token).post('/meetings', buildMeetingBody(world, fields));
  if (answer.status !== 201) throw new Error(`POST /meetings returned ${answer.status}: ${answer.text}`);
  return answer.body;
}

export async function generateMeetingsAt(moment: string, bindings: Partial<Env> = {}): Promise<void> {
  const context = createExecutionContext();
  const variables = { ...env, ...bindings } as Env;
  const scope = createRequestScope({
    env: variables,
    config: parseEnv(variables),
    origin: 'https://edgework.test',
    waitUntil: (work) => context.waitUntil(work),
    now: Date.parse(moment),
  });
  for (const no of scope.config.cells.keys()) await generateOccurrences.run(scope, no, unlimitedAllowance);
}

export async function listMeetingTasks(world: World, meeting: number) {
  const { results } = await getCell(world.cell)
    .prepare(
      `SELECT mt.occurrence AS occurrence, mt.member AS member, t.id AS id, t.due AS due,
        t.scheduled_time AS scheduled_time, t.activity_count AS activity_count, t.version AS version
      FROM meeting_tasks mt JOIN tasks t ON t.id = mt.task WHERE mt.meeting = ? ORDER BY t.id`,
    )
    .bind(meeting)
    .all<{
      occurrence: number;
      member: number;
      id: number;
      due: string;
      scheduled_time: string;
      activity_count: number;
      version: number;
    }>();
  return results;
}

export async function runSql(world: World, query: string, ...params: unknown[]): Promise<void> {
  await getCell(world.cell)
    .prepare(query)
    .bind(...params)
    .run();
}
