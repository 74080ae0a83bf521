// The whole record, in an order in which no step spoils the next one.
import type { Recording } from './compare.ts';
import { describeGaps } from './coverage.ts';
import { send } from './http.ts';
import { createNormaliser } from './normalise.ts';
import { Recorder } from './recorder.ts';
import { recordFiles } from './steps/files.ts';
import { recordMcp } from './steps/mcp.ts';
import { recordOAuth } from './steps/oauth.ts';
import { recordPeople } from './steps/people.ts';
import { recordPrograms } from './steps/programs.ts';
import { recordReads } from './steps/reads.ts';
import { recordEnds, recordRefusals } from './steps/refusals.ts';
import { recordArchiving, recordTasks } from './steps/tasks.ts';
import { recordTeamwork } from './steps/teamwork.ts';

/** @param sendRequest for who wants to see or redirect what is sent. */
export async function recordAll(
  origin: string,
  sendRequest = send,
): Promise<{ recording: Recording; gaps: string[] }> {
  const now = Date.now();
  const normaliser = createNormaliser(now);
  const recorder = new Recorder(origin, normaliser, sendRequest);
  const people = await recordPeople(recorder);
  const described = await recorder.as('nobody').call('GET', '/openapi.json');
  // Nothing in it differs from run to run but the address.
  const openapi = JSON.parse(described.text.replaceAll(origin, '<origin>'));

  await recordReads(people);
  const own = await recordTasks(people);
  await recordTeamwork(people);
  await recordFiles(people, own);
  await recordPrograms(people);
  await recordArchiving(people, own);
  const tokens = await recordOAuth(recorder, people.nobody);
  const tools = await recordMcp(tokens, people);
  await recordRefusals(recorder, openapi, people);
  await recordEnds(people);

  const recording = {
    day: new Date(now).toISOString().slice(0, 10),
    entries: recorder.entries.filter(({ request }) => !request.endsWith('GET /openapi.json')),
    openapi,
    tools,
  };
  return { recording, gaps: describeGaps(recorder, openapi, tools as { tools: { name: string }[] }) };
}
