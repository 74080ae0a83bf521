// Compares the structure of pages, ignoring user-written text.
import { Parser } from 'htmlparser2';
import { expect } from 'vitest';
import { ORIGIN } from '../../support/api.ts';
import { textsForAgents, textsForPages } from '../../support/hostile-texts.ts';
import { pickEveryNth } from '../../support/tier.ts';

/** To save requests, this many hostile strings are joined and tested together. */
const TEXTS_PER_ROUND = 15;
export const hostileTexts = [...textsForPages, ...textsForAgents];
export const hostileRounds = pickEveryNth(
  3,
  hostileTexts
    .filter((_, index) => index % TEXTS_PER_ROUND === 0)
    .map((_, index) => hostileTexts.slice(index * TEXTS_PER_ROUND, (index + 1) * TEXTS_PER_ROUND).join(' ')),
);

/** Attributes that contain a URL. The URL's query string is ignored. */
const urlAttributes = new Set([
  'href',
  'src',
  'action',
  'formaction',
  'data',
  'xlink:href',
  'data-uploads',
  'mentions',
]);
/** Attributes whose values are ignored, because they contain user-written text or differ on every page. */
const textAttributes = new Set([
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
const voidElements = new Set([
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

/** Tags that the sanitizer of descriptions allows. */
const richTags = new Set(
  'p br hr strong b em i u s sub sup mark code pre blockquote h1 h2 h3 h4 h5 h6 ul ol li span div a table thead tbody tr th td'.split(
    ' ',
  ),
);

export interface Skeleton {
  /** One line per element, with its depth and its attributes. */
  readonly lines: readonly string[];
  /** Elements and attributes that are not allowed in rich text. */
  readonly foreign: readonly string[];
  /** False if an element lacks its start or end tag. */
  readonly isWhole: boolean;
  readonly readable: string;
}

export function buildSkeleton(html: string): Skeleton {
  const lines: string[] = [];
  const foreign: string[] = [];
  const open: string[] = [];
  let rich: number | null = null;
  let isWhole = true;
  let readable = '';
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (isTextLink(name, attributes) || isMissingImage(name, attributes)) {
          open.push(name);
          return;
        }
        if (rich !== null) foreign.push(...findForeignMarkup(name, attributes));
        else if (attributes.class?.split(' ').includes('rich')) rich = open.length;
        if (rich === null || rich === open.length) lines.push(describeElement(open.length, name, attributes));
        if (!voidElements.has(name)) open.push(name);
        readable += attributes.value === undefined ? '' : `\n${attributes.value}\n`;
      },
      ontext(text) {
        readable += text;
      },
      onclosetag(name, isImplied) {
        if (voidElements.has(name)) return;
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

/** Whether the page created the link from a URL in user-written text. */
function isTextLink(name: string, { href = '', rel, target, ...others }: Record<string, string>): boolean {
  return (
    name === 'a' &&
    /^https?:\/\//i.test(href) &&
    rel === 'noopener noreferrer nofollow' &&
    target === '_blank' &&
    Object.keys(others).length === 0
  );
}

/** Shown instead of an image that isn't among the task's files. Its text is the image's alternative text. */
function isMissingImage(name: string, attributes: Record<string, string>): boolean {
  return name === 'span' && attributes.class === 'missing-image' && Object.keys(attributes).length === 1;
}

function isMention(name: string, { class: className, ...others }: Record<string, string>): boolean {
  if (name === 'bdi') return className === undefined && Object.keys(others).length === 0;
  const { 'data-person': id = '', ...strange } = others;
  return (
    name === 'span' &&
    /^mention(?: me)?$/.test(className ?? '') &&
    /^usr_\w+$/.test(id) &&
    Object.keys(strange).length === 0
  );
}

function findForeignMarkup(name: string, attributes: Record<string, string>): string[] {
  if (isMention(name, attributes)) return [];
  const strange = Object.entries(attributes).filter(
    ([key, value]) => name !== 'a' || !(key === 'title' || (key === 'href' && isPageUrl(value))),
  );
  return [
    ...(richTags.has(name) ? [] : [`<${name}>`]),
    ...strange.map(([key, value]) => `<${name} ${key}="${value}">`),
  ];
}

/** A link may point to any site, but only with the scheme http, https or mailto. */
function isPageUrl(address: string): boolean {
  const scheme = URL.parse(address, ORIGIN)?.protocol ?? '';
  return ['http:', 'https:', 'mailto:'].includes(scheme);
}

function describeElement(depth: number, name: string, attributes: Record<string, string>): string {
  const listed = Object.entries(attributes).map(([key, value]) => {
    if (textAttributes.has(key)) return key;
    if (urlAttributes.has(key)) return `${key}=${toComparableAddress(value)}`;
    if (key === 'class') return `class=${value.replace('rich text', 'rich').replace(/hue-\d/, 'hue')}`;
    return `${key}=${value}`;
  });
  return `${depth} ${name} ${listed.sort().join(' ')}`;
}

function toComparableAddress(address: string): string {
  const url = URL.parse(address, ORIGIN);
  if (!url) return `nowhere: ${address}`;
  return url.origin === ORIGIN ? url.pathname : `${url.protocol}//${url.host}`;
}

/** Single-line fields display spaces instead of line breaks. */
export function joinLines(text: string): string {
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .filter(Boolean)
    .join(' ');
}

/** Compares a page with hostile text to the same page with harmless text. `shownText` must be readable on the page. */
export function expectSameStructure(found: string, harmless: Skeleton, about: string, shownText = ''): void {
  const { lines, foreign, isWhole, readable } = buildSkeleton(found);
  const at = lines.findIndex((line, index) => line !== harmless.lines[index]);
  const shown = at < 0 ? '' : ` at ${lines.slice(Math.max(0, at - 2), at + 2).join(' / ')}`;
  expect([lines.length, at], about + shown).toEqual([harmless.lines.length, -1]);
  expect(foreign, about).toEqual([]);
  expect(isWhole, about).toBe(true);
  expect(readable.includes(shownText), `${about} can be read`).toBe(true);
}
