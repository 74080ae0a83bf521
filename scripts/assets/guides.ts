import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../databases.ts';
import { anchorOf, renderMarkdown, sectionOf } from './markdown.ts';
import { writeIfNew } from './web-app.ts';

interface Source {
  readonly slug: string;
  readonly title: string;
  readonly about: string;
  readonly file: 'contract.md' | 'events.md' | 'agents.md';
  /** Parts of the document; all of it by default. */
  readonly headings?: readonly string[];
}

const sources: readonly Source[] = [
  {
    slug: 'authentication',
    title: 'Authentication',
    about: 'The three credentials, their scopes, accounts and keys.',
    file: 'contract.md',
    headings: ['## Credentials'],
  },
  {
    slug: 'errors',
    title: 'Errors',
    about: 'Codes, statuses, and the order of the checks.',
    file: 'contract.md',
    headings: ['## Errors', '### Order of checks'],
  },
  {
    slug: 'paging',
    title: 'Paging',
    about: 'Lists, cursors, and choosing fields and relations.',
    file: 'contract.md',
    headings: ['### Lists', '### Fields and relations'],
  },
  {
    slug: 'retries',
    title: 'Retries',
    about: 'Idempotency keys, versions and limits.',
    file: 'contract.md',
    headings: ['### Retries and versions', '## Limits'],
  },
  {
    slug: 'events',
    title: 'Events and webhooks',
    about: 'Every change in order, read or brought to you.',
    file: 'events.md',
  },
  {
    slug: 'agents',
    title: 'Agents',
    about: 'Connecting assistants over the Model Context Protocol.',
    file: 'agents.md',
  },
];

interface Guide extends Source {
  readonly text: string;
  readonly anchors: ReadonlySet<string>;
}

/**
 * Writes the list of the guides that stand beside the reference, made of the documents, for the worker. Answers their texts as
 * JSON, by their slugs: a static file, because the worker would carry them for every request.
 */
export function buildGuides(): Uint8Array {
  const guides = sources.map(read);
  const list = guides.map(({ slug, title, about }) => ({ slug, title, about }));
  writeIfNew(
    join(root, 'src', 'web', 'pages', 'reference', 'guides.json'),
    `${JSON.stringify(list, null, 2)}\n`,
  );
  const texts = guides.map(({ slug, file, text, anchors }) => {
    // The page has a title of its own.
    const body = text.replace(/^# .+\n/, '');
    return [slug, renderMarkdown(body, (target) => linkTo(target, { file, anchors }, guides))];
  });
  return Buffer.from(JSON.stringify(Object.fromEntries(texts)));
}

function read(source: Source): Guide {
  const whole = readFileSync(join(root, 'docs', source.file), 'utf8');
  const parts = source.headings?.map((heading) => lift(sectionOf(whole, heading), source.title));
  const text = parts?.join('\n\n') ?? whole;
  const anchors = new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, words = '']) => anchorOf(words)));
  return { ...source, text, anchors };
}

/** The page has the first level, and the title: what is below begins with the second. */
function lift(section: string, title: string): string {
  const [, marks = '', words] = /^(#+) (.+)/.exec(section) ?? [];
  const isTitle = words === title;
  const text = isTitle ? section.replace(/^.+\n/, '') : section;
  const tooDeep = marks.length - 2 + (isTitle ? 1 : 0);
  return text.replace(new RegExp(`^#{${tooDeep}}(?=#)`, 'gm'), '');
}

/** Where another guide shows what is linked to. The rest is for whoever works on the service: its names stay as words. */
function linkTo(
  target: string,
  { file, anchors }: Pick<Guide, 'file' | 'anchors'>,
  guides: readonly Guide[],
): string | null {
  if (/^https?:/.test(target)) return target;
  const [page = '', anchor] = target.split('#');
  if (page === '' && anchor !== undefined && anchors.has(anchor)) return `#${anchor}`;
  const shown = guides.find(
    (guide) =>
      guide.file === (page || file) && (anchor === undefined ? !guide.headings : guide.anchors.has(anchor)),
  );
  if (!shown) return null;
  return anchor === undefined ? `/docs/${shown.slug}` : `/docs/${shown.slug}#${anchor}`;
}
