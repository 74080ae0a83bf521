import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { connect } from '../../bench/agents/connect.ts';
import { jobs } from '../../bench/agents/jobs.ts';
import { runJobs, type Score, scriptedAgent, sumScores } from '../../bench/agents/score-card.ts';
import { openServer, type TestServer } from '../browser/server.ts';
import { grantToken } from './consent.ts';

const CALLS_MAX = 32;
const BYTES_MAX = 80_000;

let testServer: TestServer;
let connection: Awaited<ReturnType<typeof connect>>;
const scores: Score[] = [];

before(async () => {
  testServer = await openServer();
  connection = await connect(`${testServer.origin}/mcp`, await grantToken(testServer.origin));
});
after(async () => {
  await connection?.close();
  await testServer?.stop();
});

for (const job of jobs) {
  it(`the job "${job.name}" takes at most ${job.callsMax} calls`, async (t) => {
    const [score] = await runJobs([job], connection.server, scriptedAgent);
    assert.ok(score);
    scores.push(score);
    t.diagnostic(`${score.calls} calls, ${score.bytes} bytes`);
    assert.equal(score.problem, null);
    assert.ok(score.calls <= job.callsMax, `${score.calls} calls`);
  });
}

it(`all twelve jobs together take at most ${CALLS_MAX} calls and ${BYTES_MAX / 1000} KB`, (t) => {
  assert.equal(scores.length, 12);
  const { done, calls, errors, bytes } = sumScores(scores);
  t.diagnostic(`${calls} calls, ${bytes} bytes`);
  assert.deepEqual([done, errors], [12, 0]);
  assert.ok(calls <= CALLS_MAX, `${calls} calls`);
  assert.ok(bytes <= BYTES_MAX, `${bytes} bytes`);
});
