import type { Guide } from './guides.ts';

interface DocumentationIndex {
  readonly origin: string;
  readonly guides: readonly Guide[];
  readonly groups: Readonly<Record<string, string>>;
}

/** Lists the docs for language models, in the format of llmstxt.org. */
export function buildLlmsText({ origin, guides, groups }: DocumentationIndex): string {
  const link = (title: string, path: string, about: string) => `- [${title}](${origin}${path}): ${about}`;
  return [
    '# Edgework',
    '',
    '> Work management with a REST API and an MCP server: workspaces, projects, tasks, comments, meetings, time tracking and notifications.',
    '',
    `The REST API is at ${origin}/v1, and the MCP server at ${origin}/mcp. The REST API accepts API keys and OAuth access tokens as bearer tokens, and the MCP server only OAuth access tokens.`,
    '',
    '## Docs',
    '',
    ...guides.map(({ slug, title, about }) => link(title, `/docs/${slug}`, about)),
    '',
    '## API reference',
    '',
    link('OpenAPI document', '/openapi.json', 'Every operation, field and error, as OpenAPI 3.1.'),
    ...Object.entries(groups).map(([group, about]) => link(group, `/docs/api/${group}`, about)),
    '',
    '## Optional',
    '',
    link('Authorization server metadata', '/.well-known/oauth-authorization-server', 'RFC 8414.'),
    link('Protected resource metadata', '/.well-known/oauth-protected-resource', 'RFC 9728.'),
    '',
  ].join('\n');
}
