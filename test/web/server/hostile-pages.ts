// What a page is made of, without what people wrote on it.
import { Parser } from 'htmlparser2';
import { expect } from 'vitest';
import { ORIGIN } from '../../support/api.ts';
import { forAgents, forPages } from '../../support/hostile-texts.ts';
import { everyNth } from '../../support/tier.ts';

/** Texts beside each other count as well as alone, and take fewer rounds. */
const TOGETHER = 15;
export const hostileTexts = [...forPages, ...forAgents];
export const hostileRounds = everyNth(
  3,
  hostileTexts
    .filter((_, index) => index % TOGETHER === 0)
    .map((_, index) => hostileTexts.slice(index * TOGETHER, (index + 1) * TOGETHER).join(' ')),
);

/** Addresses in a page: where they lead counts, and not what they ask for there. */
const addresses = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'data',
  'xlink:href',
  'data-uploads',
  'mentions',
]);
/** What the texts of people stand in, and what differs each time. */
const texts = new Set([
  'title',
  'aria-label',
  'value',
  'placeholder',
  'alt',
  'content',
  'label',
  'datetime',
  'max',
  'data-name',
  'data-note',
  'data-seq',
  'data-value',
]);
const withoutEnd = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'wbr',
]);

/** What the sanitiser of descriptions keeps. */
const richTags = new Set(
  'p br hr strong b em i u s sub sup mark code pre blockquote h1 h2 h3 h4 h5 h6 ul ol li span div a table thead tbody tr th td'.split(
    ' ',
  ),
);

export interface Skeleton {
  /** A line for each element, with its depth and its attributes. */
  readonly lines: readonly string[];
  /** Elements and attributes in rich text that it must not have. */
  readonly foreign: readonly string[];
  /** Elements that were left open, or ended without a beginning. */
  readonly isWhole: boolean;
  /** What can be read: texts, and the values of fields. */
  readonly readable: string;
}

export function skeletonOf(html: string): Skeleton {
  const lines: string[] = [];
  const foreign: string[] = [];
  const open: string[] = [];
  let rich: number | null = null;
  let isWhole = true;
  let readable = '';
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (isTextLink(name, attributes)) {
          open.push(name);
          return;
        }
        if (rich !== null) foreign.push(...strangeIn(name, attributes));
        else if (attributes.class?.split(' ').includes('rich')) rich = open.length;
        if (rich === null || rich === open.length) lines.push(describe(open.length, name, attributes));
        if (!withoutEnd.has(name)) open.push(name);
        readable += attributes.value === undefined ? '' : `\n${attributes.value}\n`;
      },
      ontext(text) {
        readable += text;
      },
      onclosetag(name, isImplied) {
        if (withoutEnd.has(name)) return;
        if (open.pop() !== name || (isImplied && rich === null && name !== 'path')) isWhole = false;
        if (rich !== null && open.length <= rich) rich = null;
      },
      oncomment: () => lines.push('comment'),
      onprocessinginstruction: (name) => lines.push(`instruction ${name}`),
    },
    { recognizeSelfClosing: true },
  );
  parser.end(html);
  return { lines, foreign, isWhole, readable };
}

/** The link for a typed web address: part of the text, and nothing else. */
function isTextLink(name: string, { href = '', rel, target, ...others }: Record<string, string>): boolean {
  return (
    name === 'a' &&
    /^https?:\/\//i.test(href) &&
    rel === 'noopener noreferrer nofollow' &&
    target === '_blank' &&
    Object.keys(others).length === 0
  );
}

function strangeIn(name: string, attributes: Record<string, string>): string[] {
  const strange = Object.entries(attributes).filter(
    ([key, value]) => name !== 'a' || !(key === 'title' || (key === 'href' && leadsToPage(value))),
  );
  return [
    ...(richTags.has(name) ? [] : [`<${name}>`]),
    ...strange.map(([key, value]) => `<${name} ${key}="${value}">`),
  ];
}

/** A link may lead anywhere, as long as nothing but a page or a letter opens. */
function leadsToPage(address: string): boolean {
  const scheme = URL.parse(address, ORIGIN)?.protocol ?? '';
  return ['http:', 'https:', 'mailto:'].includes(scheme);
}

function describe(depth: number, name: string, attributes: Record<string, string>): string {
  const told = Object.entries(attributes).map(([key, value]) => {
    if (texts.has(key)) return key;
    if (addresses.has(key)) return `${key}=${placeOf(value)}`;
    if (key === 'class') return `class=${value.replace('rich text', 'rich')}`;
    return `${key}=${value}`;
  });
  return `${depth} ${name} ${told.sort().join(' ')}`;
}

/** The path of an own address; of another one the scheme and the host. */
function placeOf(address: string): string {
  const url = URL.parse(address, ORIGIN);
  if (!url) return `nowhere: ${address}`;
  return url.origin === ORIGIN ? url.pathname : `${url.protocol}//${url.host}`;
}

/** How a field of one line shows a text: its line breaks are spaces. */
export function inOneLine(text: string): string {
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .filter(Boolean)
    .join(' ');
}

/** Holds a page with hostile texts against the same page with a harmless one. What it was about can be read, if that is said. */
export function expectSame(found: string, harmless: Skeleton, about: string, said = ''): void {
  const { lines, foreign, isWhole, readable } = skeletonOf(found);
  const at = lines.findIndex((line, index) => line !== harmless.lines[index]);
  const shown = at < 0 ? '' : ` at ${lines.slice(Math.max(0, at - 2), at + 2).join(' / ')}`;
  expect([lines.length, at], about + shown).toEqual([harmless.lines.length, -1]);
  expect(foreign, about).toEqual([]);
  expect(isWhole, about).toBe(true);
  expect(readable.includes(said), `${about} can be read`).toBe(true);
}
