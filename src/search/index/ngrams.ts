import { cacheLastResult } from '../../kernel/text/cache-last.ts';

/*
 * The search indexes contain the distinct grams of folded text: sequences of one to three UTF-16 units. A token
 * combines a gram with the workspace that owns it, so a search never finds tokens of another workspace. Each task also
 * has a token for its project, but none for its archived state, so that archiving doesn't rewrite the index.
 */

const NGRAM_LENGTH_MAX = 3;
/** Text with more distinct grams isn't indexed, to keep index rows small. Instead, every search reads it. */
const INDEXED_NGRAMS_MAX = 12_000;
/** Tasks with longer text are searched in smaller batches. */
const SMALL_TEXT_CHARACTERS_MAX = 2_000;
/** Queries look up at most this many grams of a pattern, because the text of each match is compared anyway. */
const QUERY_NGRAMS_MAX = 16;

/** Tasks have even owner numbers. Archived tasks had odd numbers before migration 0003. */
export function toTaskTokenOwner(ws: number): number {
  return ws * 2;
}

export function buildSearchTokens(owner: number, texts: readonly string[], project?: number): string {
  const grams = collectNgrams(texts);
  const ofProject = project === undefined ? [] : [toToken(owner, toProjectTokenName(project))];
  if (grams === null) return [toToken(owner, UNLISTED_TOKEN), ...ofProject].join(' ');
  const tokens = Array.from(grams, (gram) => toToken(owner, gram.toString(36)));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return [
    ...tokens,
    ...(length > SMALL_TEXT_CHARACTERS_MAX ? [toToken(owner, LARGE_TOKEN)] : []),
    ...ofProject,
  ].join(' ');
}

/** Marks a text that isn't indexed, so that every search in its workspace reads it. */
export function buildUnlistedToken(owner: number): string {
  return toToken(owner, UNLISTED_TOKEN);
}

/** Marks a task that isn't indexed yet, so that every search in its workspace reads its text. */
export function buildWaitingTokens(owner: number, project: number): string {
  return `${buildUnlistedToken(owner)} ${toToken(owner, toProjectTokenName(project))}`;
}

export function countTokens(tokens: string): number {
  return tokens.split(' ').length;
}

/** If `isExact` is false, the matches are only candidates, and their text must be compared with the pattern. */
export interface IndexQuery {
  readonly match: string;
  readonly isExact: boolean;
}

/** Together, the two queries return every task that can match, without duplicates. */
export function buildIndexQueries(
  owner: number,
  pattern: string,
  project?: number,
): Record<'usual' | 'large', IndexQuery> {
  const { usual, large } = buildWorkspaceQueries(owner, pattern);
  if (project === undefined) return { usual, large };
  const limitToProject = ({ match, isExact }: IndexQuery) => ({
    match: `(${match}) AND ${quoteToken(owner, toProjectTokenName(project))}`,
    isExact,
  });
  return { usual: limitToProject(usual), large: limitToProject(large) };
}

function buildWorkspaceQueries(owner: number, pattern: string): Record<'usual' | 'large', IndexQuery> {
  const all = buildNgramMatch(owner, pattern);
  if (pattern.length <= NGRAM_LENGTH_MAX) {
    return {
      usual: { match: all, isExact: true },
      large: { match: quoteToken(owner, UNLISTED_TOKEN), isExact: false },
    };
  }
  const large = quoteToken(owner, LARGE_TOKEN);
  return {
    usual: { match: `(${all}) NOT ${large}`, isExact: false },
    large: { match: `${quoteToken(owner, UNLISTED_TOKEN)} OR (${large} AND ${all})`, isExact: false },
  };
}

/** Matches every row that can contain the pattern. The text of each match must be compared with the pattern. */
export function buildIndexQuery(owner: number, pattern: string): string {
  return `(${buildNgramMatch(owner, pattern)}) OR ${quoteToken(owner, UNLISTED_TOKEN)}`;
}

function buildNgramMatch(owner: number, pattern: string): string {
  return pickNgrams(pattern)
    .map((gram) => quoteToken(owner, gram.toString(36)))
    .join(' AND ');
}

// Grams are base-36 numbers without underscores, so these tokens never equal a gram.
const UNLISTED_TOKEN = '_unlisted';
const LARGE_TOKEN = '_large';

function toProjectTokenName(project: number): string {
  return `_project_${project.toString(36)}`;
}

function toToken(owner: number, name: string): string {
  return `${owner.toString(36)}_${name}`;
}

function quoteToken(owner: number, name: string): string {
  return `"${toToken(owner, name)}"`;
}

const UTF16_UNIT_VALUES = 0x1_0000;

function collectNgrams(texts: readonly string[]): ReadonlySet<number> | null {
  const all = new Set<number>();
  for (const text of texts) {
    const grams =
      text.length > SMALL_TEXT_CHARACTERS_MAX ? collectLargeTextNgrams(text) : collectTextNgrams(text);
    if (grams === null) return null;
    for (const gram of grams) all.add(gram);
  }
  return all.size > INDEXED_NGRAMS_MAX ? null : all;
}

const collectLargeTextNgrams = cacheLastResult(collectTextNgrams);

function collectTextNgrams(text: string): ReadonlySet<number> | null {
  const grams = new Set<number>();
  let [before, last] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    grams.add(unit);
    if (at > 0) grams.add(last * UTF16_UNIT_VALUES + unit);
    if (at > 1) grams.add((before * UTF16_UNIT_VALUES + last) * UTF16_UNIT_VALUES + unit);
    if (grams.size > INDEXED_NGRAMS_MAX) return null;
    [before, last] = [last, unit];
  }
  return grams;
}

/**
 * Picks trigrams that are spread evenly over the pattern. A pattern of up to three characters is itself a single gram.
 */
function pickNgrams(pattern: string): number[] {
  const places = Math.max(1, pattern.length - NGRAM_LENGTH_MAX + 1);
  const grams = [
    ...new Set(
      Array.from({ length: places }, (_, at) => encodeNgram(pattern.slice(at, at + NGRAM_LENGTH_MAX))),
    ),
  ];
  const step = Math.max(1, (grams.length - 1) / (QUERY_NGRAMS_MAX - 1));
  return grams.filter((_, index) => index === Math.round(Math.round(index / step) * step));
}

function encodeNgram(text: string): number {
  let gram = 0;
  for (let at = 0; at < text.length; at += 1) gram = gram * UTF16_UNIT_VALUES + text.charCodeAt(at);
  return gram;
}
