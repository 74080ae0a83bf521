import type { AnyTool } from '../kernel/tools/tool.ts';

type Json = Record<string, unknown>;

/** The calls of one body run side by side, so a batch must not start a hundred of them. */
const BATCH_MAX = 20;

/** The messages of a body, whether it is one or a batch. */
export function messagesOf(body: unknown): Json[] {
  return (Array.isArray(body) ? body : [body]).filter(isObject);
}

/** The known tools that the messages call, in order. */
export function calledTools(messages: readonly Json[], tools: readonly AnyTool[]): AnyTool[] {
  return messages
    .filter(({ method, params }) => method === 'tools/call' && isObject(params))
    .flatMap(({ params }) => tools.filter(({ name }) => name === (params as Json).name));
}

/** Why a batch cannot be answered message by message; null if it can. */
export function batchProblem(body: unknown): string | null {
  if (!Array.isArray(body)) return null;
  if (body.length > BATCH_MAX) return `A batch may hold ${BATCH_MAX} messages; got ${body.length}.`;
  const ids = messagesOf(body).flatMap(({ id }) => (id === undefined ? [] : [id]));
  if (new Set(ids).size < ids.length) return 'Two messages of the batch have the same id.';
  // It would cancel a request whose answer the same response is waiting for.
  const cancels = messagesOf(body).some(({ method }) => method === 'notifications/cancelled');
  return cancels ? 'A batch cannot cancel its own requests.' : null;
}

export function isObject(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
