import { parseTaskNumber } from '../../search/lookup/match-names.ts';

/** Builds the filter of `listTaskRows` that finds a task by the name or number that a person typed. */
export function toTaskSearch(text: string) {
  const number = parseTaskNumber(text);
  return { scope: 'all' as const, ...(number === null ? { search: text } : { ids: [number] }) };
}
