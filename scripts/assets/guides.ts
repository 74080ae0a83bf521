import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../databases.ts';
import { anchorOf, renderMarkdown, sectionOf } from './markdown.ts';
import { writeIfNew } from './write.ts';

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
    about: 'Codes and statuses, and in which order is checked.',
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
  {
    slug: 'contract',
    title: 'All rules',
    about: 'What the service answers, from conventions to versioning.',
    file: 'contract.md',
  },
];

/** Writes the guides that stand beside the reference, made of the documents. */
export function buildGuides(): void {
  const guides = sources.map(({ slug, title, about, file, headings }) => {
    const whole = readFileSync(join(root, 'docs', file), 'utf8');
    const parts = headings?.map((heading) => lift(sectionOf(whole, heading), title));
    const text = parts?.join('\n\n') ?? whole;
    const anchors = new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, words = '']) => anchorOf(words)));
    // The page has a title of its own.
    const html = renderMarkdown(text.replace(/^# .+\n/, ''), (target) => linkTo(target, file, anchors));
    return { slug, title, about, html };
  });
  const path = join(root, 'src', 'screens', 'reference', 'guides.json');
  writeIfNew(path, `${JSON.stringify(guides, null, 2)}\n`);
}

/** The page has the first level, and the title: what is below begins with the second. */
function lift(section: string, title: string): string {
  const [, marks = '', words] = /^(#+) (.+)/.exec(section) ?? [];
  const isTitle = words === title;
  const text = isTitle ? section.replace(/^.+\n/, '') : section;
  const tooDeep = marks.length - 2 + (isTitle ? 1 : 0);
  return text.replace(new RegExp(`^#{${tooDeep}}(?=#)`, 'gm'), '');
}

/** Other documents are for whoever works on the service: their names stay as words. */
function linkTo(target: string, file: string, anchors: ReadonlySet<string>): string | null {
  if (/^https?:/.test(target)) return target;
  const [page = '', anchor] = target.split('#');
  if (page === '' && anchor !== undefined && anchors.has(anchor)) return `#${anchor}`;
  const slug = { 'contract.md': 'contract', 'events.md': 'events', 'agents.md': 'agents' }[page || file];
  if (slug === undefined) return null;
  return anchor === undefined ? `/docs/${slug}` : `/docs/${slug}#${anchor}`;
}
