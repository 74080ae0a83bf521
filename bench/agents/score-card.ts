import type { Job, ToolCaller } from './jobs.ts';

export interface CallResult {
  readonly content: readonly { readonly type: string; readonly text?: string | undefined }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

export interface Server {
  readonly tools: readonly {
    readonly name: string;
    readonly description?: string | undefined;
    readonly inputSchema: object;
  }[];
  call(name: string, args: Record<string, unknown>): Promise<CallResult>;
}

interface TokenCounts {
  readonly sent: number;
  readonly received: number;
}

/**
 * Does a job with a server's tools. Returns the answer that the person would get, and the tokens that the model read
 * and wrote (null for a scripted agent).
 */
export type Agent = (job: Job, server: Server) => Promise<{ answer: string; tokens: TokenCounts | null }>;

export interface Score {
  readonly job: string;
  readonly isDone: boolean;
  readonly problem: string | null;
  readonly calls: number;
  readonly errors: number;
  readonly bytes: number;
  /** Null for a scripted agent. */
  readonly tokens: TokenCounts | null;
}

const BYTES_PER_TOKEN = 4;

export async function runJobs(
  jobs: readonly Job[],
  server: Server,
  agent: Agent,
  report: (score: Score) => void = () => undefined,
): Promise<Score[]> {
  const scores: Score[] = [];
  for (const job of jobs) {
    const score = await runJob(job, server, agent);
    report(score);
    scores.push(score);
  }
  return scores;
}

async function runJob(job: Job, server: Server, agent: Agent): Promise<Score> {
  const cost = { calls: 0, errors: 0, bytes: 0 };
  const counting: Server = {
    tools: server.tools,
    async call(name, args) {
      const result = await server.call(name, args);
      cost.calls += 1;
      cost.errors += result.isError ? 1 : 0;
      cost.bytes += new TextEncoder().encode(JSON.stringify(result)).length;
      return result;
    },
  };
  let tokens: TokenCounts | null = null;
  try {
    const isOwn = canCheckJobs(server);
    const read = createToolCaller(server);
    const before = isOwn && job.observe ? await job.observe(read) : 0;
    const done = await agent(job, counting);
    tokens = done.tokens;
    if (done.answer.startsWith(FAILURE_PREFIX)) throw new Error(done.answer);
    if (isOwn) await job.check(read, done.answer, before);
    return { job: job.name, isDone: true, problem: null, ...cost, tokens };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { job: job.name, isDone: false, problem, ...cost, tokens };
  }
}

/** A model starts its answer with this word if it can't do a job. */
export const FAILURE_PREFIX = 'FAILED';

/** Servers other than ours have other tools, so only the model can say whether a job is done. */
export function canCheckJobs({ tools }: Server): boolean {
  return ['find_tasks', 'get_task', 'get_time'].every((name) => tools.some((tool) => tool.name === name));
}

export const scriptedAgent: Agent = async (job, server) => ({
  answer: await job.runScript(createToolCaller(server)),
  tokens: null,
});

function createToolCaller(server: Server): ToolCaller {
  return async (name, args = {}) => {
    const result = await server.call(name, args);
    if (result.isError) throw new Error(`${name}: ${result.content.map(({ text }) => text).join('\n')}`);
    return result.structuredContent;
  };
}

export function sumScores(scores: readonly Score[]) {
  const sum = (of: (score: Score) => number) => scores.reduce((total, score) => total + of(score), 0);
  return {
    done: sum(({ isDone }) => (isDone ? 1 : 0)),
    calls: sum(({ calls }) => calls),
    errors: sum(({ errors }) => errors),
    bytes: sum(({ bytes }) => bytes),
    tokens: sum(countTokens),
  };
}

function countTokens({ bytes, tokens }: Score): number {
  return tokens ? tokens.sent + tokens.received : Math.ceil(bytes / BYTES_PER_TOKEN);
}

export function formatTable(scores: readonly Score[]): string {
  const { done, calls, errors, bytes, tokens } = sumScores(scores);
  const rows = scores.map((score) => [
    score.job,
    score.isDone ? 'yes' : 'no',
    score.calls,
    score.errors,
    score.bytes,
    countTokens(score),
  ]);
  const all = [
    ['Job', 'Done', 'Calls', 'Errors', 'Bytes', 'Tokens'],
    ['---', '---', '--:', '--:', '--:', '--:'],
    ...rows,
    ['**Total**', `${done} of ${scores.length}`, calls, errors, bytes, tokens],
  ];
  return all.map((row) => `| ${row.map(formatCell).join(' | ')} |`).join('\n');
}

function formatCell(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString('en-US') : value;
}
