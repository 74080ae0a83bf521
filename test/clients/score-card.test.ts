// Runs the scorecard with a scripted model API, and with tools that record their calls and return a fixed result.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, beforeEach, it } from 'node:test';
import type { Job } from '../../bench/agents/jobs.ts';
import { createModelAgent } from '../../bench/agents/model.ts';
import {
  type CallResult,
  formatTable,
  runJobs,
  type Server,
  scriptedAgent,
  sumScores,
} from '../../bench/agents/score-card.ts';

// biome-ignore lint/suspicious/noExplicitAny: the stub reads what the client sends.
type Json = any;

const usage = { input_tokens: 100, output_tokens: 20 };
const buildTextReply = (text: string) => ({
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  usage,
});
const buildToolReply = (name: string, input: object) => ({
  content: [
    { type: 'text', text: 'Let me look.' },
    { type: 'tool_use', id: 'toolu_1', name, input },
  ],
  stop_reason: 'tool_use',
  usage: { ...usage, cache_read_input_tokens: 50 },
});
let replies: (object | number)[] = [];
let requests: { headers: Json; body: Json }[] = [];
const api = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    requests.push({ headers: request.headers, body: JSON.parse(Buffer.concat(parts).toString()) });
    const reply = replies.shift() ?? 500;
    const [status, body] = typeof reply === 'number' ? [reply, { type: 'error' }] : [200, reply];
    response.writeHead(status, { 'Content-Type': 'application/json', 'retry-after': '0.01' });
    response.end(JSON.stringify(body));
  });
});
let agent: ReturnType<typeof createModelAgent>;

before(async () => {
  await new Promise<void>((listening) => api.listen(0, '127.0.0.1', listening));
  const address = api.address();
  const port = typeof address === 'object' ? address?.port : 0;
  agent = createModelAgent({ model: 'a-model', apiKey: 'a-key', apiUrl: `http://127.0.0.1:${port}` });
});
after(() => api.close());
beforeEach(() => {
  replies = [];
  requests = [];
});

const createTools = (names: readonly string[], result: CallResult) => {
  const called: [string, object][] = [];
  const server: Server = {
    tools: names.map((name) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } })),
    async call(name, args) {
      called.push([name, args]);
      return result;
    },
  };
  return { server, called };
};
const ownTools = ['find_tasks', 'get_task', 'get_time'];
const foundTasks = { content: [{ type: 'text', text: '#1 Poster' }], structuredContent: { total: 3 } };
const createJob = (check: Job['check']): Job => ({
  name: 'counting',
  callsMax: 1,
  prompt: 'How many?',
  runScript: async (tool) => `There are ${(await tool('find_tasks')).total}.`,
  check,
});
const checkThreeTasks: Job['check'] = async (tool, answer) => {
  assert.equal((await tool('find_tasks')).total, 3);
  assert.match(answer, /3/);
};

it('a model can call tools until it returns text, and its calls, bytes and tokens are counted', async () => {
  replies = [buildToolReply('find_tasks', { status: ['open'] }), buildTextReply('There are 3.')];
  const { server, called } = createTools(ownTools, foundTasks);
  const scores = await runJobs([createJob(checkThreeTasks)], server, agent);
  const bytes = JSON.stringify(foundTasks).length;
  assert.deepEqual(scores, [
    {
      job: 'counting',
      isDone: true,
      problem: null,
      calls: 1,
      errors: 0,
      bytes,
      tokens: { sent: 250, received: 40 },
    },
  ]);
  assert.deepEqual(called, [
    ['find_tasks', { status: ['open'] }],
    // This call checks the result, so it isn't part of the cost.
    ['find_tasks', {}],
  ]);
  const [first, second] = requests;
  assert.equal(first?.headers['x-api-key'], 'a-key');
  assert.equal(first?.headers['anthropic-version'], '2023-06-01');
  assert.equal(first?.body.model, 'a-model');
  assert.deepEqual(first?.body.messages, [{ role: 'user', content: 'How many?' }]);
  assert.deepEqual(first?.body.tools[0], {
    name: 'find_tasks',
    description: 'Does find_tasks.',
    input_schema: { type: 'object' },
  });
  assert.deepEqual(second?.body.messages.at(-1), {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '#1 Poster' }],
  });
});

it('a job with a wrong answer is scored as failed, even if the model reports success', async () => {
  replies = [buildTextReply('Done, there are 4.')];
  const { server } = createTools(ownTools, foundTasks);
  const [score] = await runJobs([createJob(checkThreeTasks)], server, agent);
  assert.equal(score?.isDone, false);
  assert.match(score?.problem ?? '', /4/);
});

it('tool errors are counted and sent to the model, and a job that the model gives up on is scored as failed', async () => {
  replies = [buildToolReply('find_tasks', {}), buildTextReply('FAILED: there is no such project')];
  const { server } = createTools(ownTools, {
    content: [{ type: 'text', text: 'No project' }],
    isError: true,
  });
  const [score] = await runJobs([createJob(async () => undefined)], server, agent);
  assert.deepEqual([score?.isDone, score?.calls, score?.errors], [false, 1, 1]);
  assert.equal(score?.problem, 'FAILED: there is no such project');
  assert.deepEqual(requests[1]?.body.messages.at(-1).content[0], {
    type: 'tool_result',
    tool_use_id: 'toolu_1',
    content: 'No project',
    is_error: true,
  });
});

it("a job's result isn't checked if the server's tools aren't Edgework's", async () => {
  replies = [buildToolReply('search_issues', {}), buildTextReply('There are 12.')];
  const { server, called } = createTools(['search_issues'], foundTasks);
  const [score] = await runJobs([createJob(async () => assert.fail('it was checked'))], server, agent);
  assert.equal(score?.isDone, true);
  assert.deepEqual(called, [['search_issues', {}]]);
});

it("a job ends after twenty turns, and a request is retried if the model's API is busy", async () => {
  replies = [429, 529, ...Array.from({ length: 20 }, () => buildToolReply('find_tasks', {}))];
  const { server } = createTools(ownTools, foundTasks);
  const [score] = await runJobs([createJob(async () => undefined)], server, agent);
  assert.match(score?.problem ?? '', /more than 20 turns/);
  assert.equal(requests.length, 22);
});

it("an error from the model's API fails only the current job", async () => {
  replies = [400, buildTextReply('There are 3.')];
  const { server } = createTools(ownTools, foundTasks);
  const scores = await runJobs([createJob(checkThreeTasks), createJob(checkThreeTasks)], server, agent);
  assert.deepEqual(
    scores.map(({ isDone }) => isDone),
    [false, true],
  );
  assert.match(scores[0]?.problem ?? '', /returned 400/);
});

it("the table of scores ends with totals, and a script's tokens are estimated from its bytes", async () => {
  const { server } = createTools(ownTools, foundTasks);
  const scores = await runJobs([createJob(checkThreeTasks)], server, scriptedAgent);
  const bytes = JSON.stringify(foundTasks).length;
  const tokens = Math.ceil(bytes / 4);
  assert.deepEqual(sumScores(scores), { done: 1, calls: 1, errors: 0, bytes, tokens });
  assert.deepEqual(formatTable(scores).split('\n').slice(2), [
    `| counting | yes | 1 | 0 | ${bytes} | ${tokens} |`,
    `| **Total** | 1 of 1 | 1 | 0 | ${bytes} | ${tokens} |`,
  ]);
});
