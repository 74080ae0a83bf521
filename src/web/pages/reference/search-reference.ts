import type { ApiReference, Endpoint } from './api-reference.ts';
import { type Guide, guides } from './guides.ts';

export function findEndpoints({ groups }: ApiReference, query: string): Endpoint[] {
  return [...groups.values()].flat().filter((endpoint) => hasAllWords(buildSearchText(endpoint), query));
}

export function findGuides(texts: Readonly<Record<string, string>>, query: string): Guide[] {
  return guides.filter(({ slug, title, about }) =>
    hasAllWords(`${title} ${about} ${(texts[slug] ?? '').replace(/<[^>]+>/g, ' ')}`, query),
  );
}

function buildSearchText({ method, path, described }: Endpoint): string {
  const { operationId, summary, description = '', parameters = [], requestBody } = described;
  const body = requestBody?.content?.['application/json']?.schema?.properties ?? {};
  const names = [...parameters.map(({ name }) => name), ...Object.keys(body)];
  return [method, path, operationId, summary, description, described['x-access'], ...names].join(' ');
}

function hasAllWords(text: string, query: string): boolean {
  const lowered = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lowered.includes(word));
}
