// What a run has to call, taken from what the server says of itself.
import type { Recorder } from './recorder.ts';

const REQUESTS_MIN = 300;

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
interface Tools {
  readonly tools: readonly { readonly name: string }[];
}

/** Operations and tools that the run left out, in words. */
export function describeGaps({ called }: Recorder, openapi: OpenApi, { tools }: Tools): string[] {
  const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => /^(get|post|put|patch|delete)$/.test(method))
      .map((method) => ({ method: method.toUpperCase(), path })),
  );
  const gaps: string[] = [];
  for (const { method, path } of operations) {
    const pattern = new RegExp(`^/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    const calls = called.filter((each) => each.method === method && pattern.test(each.path));
    if (!calls.some(({ status }) => status < 400)) gaps.push(`${method} ${path} was never answered well`);
    if (!calls.some(({ status }) => status >= 400)) gaps.push(`${method} ${path} was never refused`);
  }
  const named = called.flatMap(({ path, body }) => (path === '/mcp' ? [toolOf(body)] : []));
  for (const { name } of tools) {
    const times = named.filter((each) => each === name).length;
    if (times < 2)
      gaps.push(`the tool ${name} was called ${times} times, with good and bad arguments it is 2`);
  }
  if (called.length < REQUESTS_MIN) gaps.push(`${called.length} requests were sent, not ${REQUESTS_MIN}`);
  return gaps;
}

function toolOf(body: unknown): string | undefined {
  return (body as { params?: { name?: string } } | null)?.params?.name;
}
