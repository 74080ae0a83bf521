// Compares two records and says in words where they differ.
import type { Entry } from './recorder.ts';

export interface Recording {
  /** Days are written as their distance from today, so records of different days differ in the demo. */
  readonly day: string;
  readonly entries: readonly Entry[];
  readonly openapi: unknown;
  readonly tools: unknown;
}

export function compare(before: Recording, after: Recording): string[] {
  const differences: string[] = [];
  if (before.day !== after.day) {
    differences.push(`Recorded on ${before.day} and on ${after.day}: record both on one day.`);
  }
  const count = Math.max(before.entries.length, after.entries.length);
  for (let index = 0; index < count; index += 1) {
    const [one, other] = [before.entries[index], after.entries[index]];
    const name = `${index + 1}. ${one?.request ?? other?.request}`;
    differences.push(...differencesOf(one, other, name));
  }
  differences.push(...differencesOf(before.openapi, after.openapi, 'OpenAPI document'));
  differences.push(...differencesOf(before.tools, after.tools, 'tools/list'));
  return differences;
}

/** Each value that differs, with its place. The order of names counts: answers are to have the same bytes. */
function differencesOf(one: unknown, other: unknown, place: string): string[] {
  if (Object.is(one, other)) return [];
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) {
    return [`${place}\n  - ${JSON.stringify(one)}\n  + ${JSON.stringify(other)}`];
  }
  const [names, others] = [Object.keys(one), Object.keys(other)];
  const all = [...new Set([...names, ...others])];
  const inside = all.flatMap((name) => differencesOf(one[name], other[name], `${place} › ${name}`));
  if (inside.length > 0 || names.join() === others.join()) return inside;
  return [`${place}: the names come in another order\n  - ${names.join(', ')}\n  + ${others.join(', ')}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}
