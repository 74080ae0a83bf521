import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../databases.ts';
import { buildAnchor, extractSection, renderMarkdown } from './markdown.ts';
import { writeIfChanged } from './web-app.ts';

const docs = join(root, 'docs');

interface GuideSource {
  readonly slug: string;
  readonly title: string;
  readonly about: string;
  /** The path, relative to docs/. */
  readonly file: string;
  /** The headings of the sections to show. By default, the whole document is shown. */
  readonly headings?: readonly string[];
}

const sources: readonly GuideSource[] = [
  {
    slug: 'build-an-app',
    title: 'Build an app',
    about: 'Sign people in with OAuth and call the API for them.',
    file: 'build-an-app.md',
  },
  {
    slug: 'client',
    title: 'JavaScript client',
    about: 'Call the API with one file: typed methods, pages, events, retries, uploads and webhooks.',
    file: 'client.md',
  },
  {
    slug: 'command-line',
    title: 'Command line',
    about: 'Work with tasks, time, events and imports from a terminal.',
    file: 'command-line.md',
  },
  {
    slug: 'agents',
    title: 'Connect an agent',
    about: 'Give Claude, VS Code, Cursor and other agents access to your tasks.',
    file: 'agents.md',
  },
  {
    slug: 'events',
    title: 'Events and webhooks',
    about: 'Read every change in order, or have changes sent to your server.',
    file: 'events.md',
  },
  {
    slug: 'authentication',
    title: 'Authentication',
    about: 'Session tokens, API keys, OAuth tokens and their scopes.',
    file: 'contract.md',
    headings: ['## Credentials'],
  },
  {
    slug: 'errors',
    title: 'Errors',
    about: 'Error codes, status codes, and the order of checks.',
    file: 'contract.md',
    headings: ['## Errors', '### Order of checks'],
  },
  {
    slug: 'paging',
    title: 'Paging',
    about: 'Follow cursors, and select fields and relations.',
    file: 'contract.md',
    headings: ['### Lists', '### Fields and relations'],
  },
  {
    slug: 'retries',
    title: 'Retries',
    about: 'Repeat requests safely: idempotency keys, versions and rate limits.',
    file: 'contract.md',
    headings: ['### Retries and versions', '## Limits'],
  },
  {
    slug: 'conventions',
    title: 'Conventions',
    about: 'Bodies, text, ids and dates.',
    file: 'contract.md',
    headings: ['### Bodies', '### Text', '### Ids, dates and times', '### Success'],
  },
  {
    slug: 'clients',
    title: 'Clients and generators',
    about: 'Import the API into Postman or Insomnia, or generate a typed client.',
    file: 'contract.md',
    headings: ['## Clients and generators'],
  },
  {
    slug: 'versioning',
    title: 'Versioning',
    about: 'What can change at any time, and how removals are announced.',
    file: 'contract.md',
    headings: ['## Versioning'],
  },
  {
    slug: 'roles',
    title: 'Roles and visibility',
    about: 'Who can see what, and who can change it.',
    file: 'contract.md',
    headings: ['## Roles and visibility'],
  },
  {
    slug: 'audit-log',
    title: 'Audit log',
    about: 'Who changed access, from where and with which credential.',
    file: 'contract.md',
    headings: ['## Audit log'],
  },
  {
    slug: 'exports',
    title: 'Exports',
    about: 'How to download a whole workspace, and what the zip file contains.',
    file: 'contract.md',
    headings: ['## Exports'],
  },
  {
    slug: 'resources',
    title: 'Resources',
    about: 'The rules for tasks, projects, meetings, files, time, notifications and the dashboard.',
    file: 'contract.md',
    headings: [
      '## Tasks',
      '## Comments',
      '## Projects',
      '## Reference collections',
      '## Meetings',
      '## Attachments',
      '## Chunked upload',
      '## Time tracking',
      '## Notifications',
      '## Public links and intake forms',
      '## Dashboard',
      '## Events',
    ],
  },
  {
    slug: 'mcp',
    title: 'MCP reference',
    about: 'The tools of the MCP server, and what clients can rely on.',
    file: 'mcp.md',
  },
  {
    slug: 'changelog',
    title: 'Changelog',
    about: 'Changes in each version.',
    file: '../CHANGELOG.md',
  },
];

interface Guide extends GuideSource {
  readonly text: string;
  readonly anchors: ReadonlySet<string>;
}

/**
 * Writes the list of guides for the Worker. Returns the contents and examples of the guides as JSON for a static file,
 * because they would make the Worker larger.
 */
export function buildGuides(): Uint8Array {
  const guides = sources.map(readGuide);
  const list = guides.map(({ slug, title, about }) => ({ slug, title, about }));
  writeIfChanged(
    join(root, 'src', 'web', 'pages', 'reference', 'guides.json'),
    `${JSON.stringify(list, null, 2)}\n`,
  );
  const texts = guides.map(({ slug, text, ...guide }) => {
    const body = text.replace(/^# .+\n/, '');
    return [slug, renderMarkdown(body, (target) => resolveLink(target, guide, guides))];
  });
  const examples = readdirSync(join(docs, 'examples')).map((name) => [
    name,
    readFileSync(join(docs, 'examples', name), 'utf8'),
  ]);
  const built = { texts: Object.fromEntries(texts), examples: Object.fromEntries(examples) };
  return Buffer.from(JSON.stringify(built));
}

function readGuide(source: GuideSource): Guide {
  const whole = readFileSync(join(docs, source.file), 'utf8');
  const parts = source.headings?.map((heading) =>
    raiseHeadings(extractSection(whole, heading), source.title),
  );
  const text = parts?.join('\n\n') ?? whole;
  const anchors = new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, words = '']) => buildAnchor(words)));
  return { ...source, text, anchors };
}

/** Raises the headings of a section, so that they start at level two, below the page title. */
function raiseHeadings(section: string, title: string): string {
  const [, marks = '', words] = /^(#+) (.+)/.exec(section) ?? [];
  const isTitle = words === title;
  const text = isTitle ? section.replace(/^.+\n/, '') : section;
  const tooDeep = marks.length - 2 + (isTitle ? 1 : 0);
  return text.replace(new RegExp(`^#{${tooDeep}}(?=#)`, 'gm'), '');
}

/**
 * Returns the URL for a link in a guide. Throws if the target isn't a guide, an example or another site.
 */
function resolveLink(
  target: string,
  { file, anchors }: Pick<Guide, 'file' | 'anchors'>,
  guides: readonly Guide[],
): string {
  if (/^https?:/.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  const page = path && relative(docs, join(docs, dirname(file), path));
  if (page.startsWith('examples/')) return `/docs/${page}`;
  if (page === '' && anchor !== undefined && anchors.has(anchor)) return `#${anchor}`;
  const shown = guides.find(
    (guide) =>
      guide.file === (page || file) &&
      (anchor === undefined || guide.anchors.has(anchor) || buildAnchor(guide.title) === anchor),
  );
  if (!shown) throw new Error(`docs/${file} links to ${target}, which no guide shows`);
  return anchor !== undefined && shown.anchors.has(anchor)
    ? `/docs/${shown.slug}#${anchor}`
    : `/docs/${shown.slug}`;
}
