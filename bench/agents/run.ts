// `node scripts/install.mjs bench/agents/run.ts` measures what the twelve jobs of docs/agents.md cost. See `--help`.
import { parseArgs } from 'node:util';
import { withServer } from '../../scripts/own-server.ts';
import { grantToken } from '../../test/clients/consent.ts';
import { connect } from './connect.ts';
import { jobs } from './jobs.ts';
import { createModelAgent } from './model.ts';
import { canCheckJobs, formatTable, runJobs, scriptedAgent, sumScores } from './score-card.ts';

const usage = `node scripts/install.mjs bench/agents/run.ts [options]

  --model NAME   let this model do the jobs, with the key in ANTHROPIC_API_KEY (default: a script)
  --url URL      the address of an MCP server, with an access token in MCP_TOKEN (default: a server of its own)
  --json         print the results as JSON

The jobs change data. Use the demo, or a workspace with the same projects and people.`;

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    url: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const {
  ANTHROPIC_API_KEY: apiKey,
  ANTHROPIC_BASE_URL: apiUrl = 'https://api.anthropic.com',
  MCP_TOKEN: mcpToken,
} = process.env;

if (values.help) {
  console.log(usage);
} else if (values.model && !apiKey) {
  fail('Set ANTHROPIC_API_KEY to the key of the model.');
} else if (values.url && !mcpToken) {
  fail('Set MCP_TOKEN to an access token for the server.');
} else if (values.url) {
  await scoreAgent(values.url, mcpToken ?? '');
} else {
  await withServer('score-card', async ({ origin }) => scoreAgent(`${origin}/mcp`, await grantToken(origin)));
}

async function scoreAgent(url: string, token: string): Promise<void> {
  const { server, toolBytes, close } = await connect(url, token);
  if (!values.model && !canCheckJobs(server))
    fail('The script knows only the tools of Edgework. Name a --model.');
  const agent = values.model
    ? createModelAgent({ model: values.model, apiKey: apiKey ?? '', apiUrl })
    : scriptedAgent;
  const scores = await runJobs(jobs, server, agent, ({ job, isDone, problem }) =>
    console.error(`${isDone ? 'done' : 'not done'}: ${job}${problem ? ` (${problem})` : ''}`),
  );
  await close();
  const agentName = values.model ?? 'script';
  if (values.json) {
    console.log(JSON.stringify({ agent: agentName, toolBytes, total: sumScores(scores), scores }, null, 2));
  } else {
    console.log(`${formatTable(scores)}\n\nAgent: ${agentName}. The tool list has ${toolBytes} bytes.`);
  }
  if (scores.some(({ isDone }) => !isDone)) process.exitCode = 1;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
