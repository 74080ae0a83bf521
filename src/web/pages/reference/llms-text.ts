import type { Guide } from './guides.ts';

interface DocumentationIndex {
  readonly origin: string;
  readonly guides: readonly Guide[];
  readonly groups: Readonly<Record<string, string>>;
}

export function buildLlmsText({ origin, guides, groups }: DocumentationIndex): string {
  const formatLink = (title: string, path: string, about: string) =>
    `- [${title}](${origin}${path}): ${about}`;
  return [
    '# Edgework',
    '',
    '> Work management with a REST API and an MCP server: workspaces, projects, tasks, comments, meetings, time tracking and notifications.',
    '',
    `The REST API is at ${origin}/v1, and the MCP server at ${origin}/mcp. The REST API accepts API keys and OAuth access tokens as bearer tokens, and the MCP server accepts only OAuth access tokens.`,
    '',
    '## Docs',
    '',
    ...guides.map(({ slug, title, about }) => formatLink(title, `/docs/${slug}`, about)),
    '',
    '## API reference',
    '',
    formatLink('OpenAPI document', '/openapi.json', 'Every operation, field and error, as OpenAPI 3.1.'),
    ...Object.entries(groups).map(([group, about]) => formatLink(group, `/docs/api/${group}`, about)),
    '',
    '## Optional',
    '',
    formatLink('Authorization server metadata', '/.well-known/oauth-authorization-server', 'RFC 8414.'),
    formatLink('Protected resource metadata', '/.well-known/oauth-protected-resource', 'RFC 9728.'),
    '',
  ].join('\n');
}
