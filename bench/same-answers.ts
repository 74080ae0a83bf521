import { isDeepStrictEqual } from 'node:util';
import { type Answer, connect, send } from './load.ts';
import type { TimedRequest } from './request.ts';

/** The bare worker must answer what the real one answers, or the comparison is worth nothing. */
export async function requireSameAnswers(
  requests: readonly TimedRequest[],
  appUrl: URL,
  bareUrl: URL,
): Promise<void> {
  const [app, bare] = [connect(appUrl), connect(bareUrl)];
  for (const request of requests) {
    for (const call of request.variants.flat()) {
      const comparable = ({ status, text }: Answer) => ({ status, body: timeless(text, request) });
      const [real, plain] = [comparable(await send(app, call)), comparable(await send(bare, call))];
      if (isDeepStrictEqual(real, plain)) continue;
      throw new Error(
        `The bare worker answers ${call.method} ${call.path} differently; bench/bare-worker.ts must follow: ${difference(real, plain)}`,
      );
    }
  }
  await Promise.all([app.close(), bare.close()]);
}

/** The first place where they differ. */
function difference(real: unknown, plain: unknown, path = ''): string {
  if (!isRecord(real) || !isRecord(plain)) {
    return `${path} is ${JSON.stringify(real)}, the bare worker says ${JSON.stringify(plain)}`;
  }
  const names = [...new Set([...Object.keys(real), ...Object.keys(plain)])];
  const name = names.find((each) => !isDeepStrictEqual(real[each], plain[each])) ?? '';
  return difference(real[name] ?? null, plain[name] ?? null, `${path}/${name}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** A recorded write carries the time of its recording. */
function timeless(text: string, { isWrite }: TimedRequest): unknown {
  try {
    return JSON.parse(text, (key, value) => (isWrite && /^(created|updated)At$/.test(key) ? null : value));
  } catch {
    return text;
  }
}
