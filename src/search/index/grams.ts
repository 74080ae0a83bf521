import { cacheLast } from '../../kernel/text/cache-last.ts';

/*
 * The search indexes hold the grams of the folded texts of a task or a comment: all distinct sequences of one, two and three
 * characters (UTF-16 units). A gram is a number, and a token combines it with its owner, so that no search ever meets
 * another workspace's tokens. One more token of a task names its project, which never changes. Being archived is not a
 * token, so archiving doesn't rewrite the index.
 */

const GRAM = 3;
/** Texts with more distinct grams are not indexed, to keep index rows small. Every search reads them instead. */
const GRAMS_MAX = 12_000;
/** If a search has to read texts, longer ones are read in smaller parts. */
const SMALL_CHARACTERS_MAX = 2_000;
/** How many grams of a long pattern to look up. The text itself decides. */
const GRAMS_ASKED_MAX = 16;

/** The owner of the tasks of a workspace. Odd numbers belonged to archived tasks before migration 0003. */
export function ownerOfTasks(ws: number): number {
  return ws * 2;
}

/**
 * The tokens of an owner's texts, as one text.
 * @param project of the task.
 */
export function tokensOf(owner: number, texts: readonly string[], project?: number): string {
  const grams = gramsOf(texts);
  const ofProject = project === undefined ? [] : [token(owner, markOf(project))];
  if (grams === null) return [token(owner, UNLISTED), ...ofProject].join(' ');
  const tokens = Array.from(grams, (gram) => token(owner, gram.toString(36)));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return [...tokens, ...(length > SMALL_CHARACTERS_MAX ? [token(owner, LARGE)] : []), ...ofProject].join(' ');
}

/** The tokens of a task whose texts are not indexed yet. Every search of its workspace reads them. */
export function waitingTokens(owner: number, project: number): string {
  return `${token(owner, UNLISTED)} ${token(owner, markOf(project))}`;
}

export function countTokens(tokens: string): number {
  return tokens.split(' ').length;
}

/** A query to the index, and whether its result is exact. If not, the texts have to be read. */
export interface Question {
  readonly match: string;
  readonly isExact: boolean;
}

/**
 * Queries that together return every task, of one project or of all, that may contain the folded pattern. None is returned
 * twice.
 */
export function questionsFor(
  owner: number,
  pattern: string,
  project?: number,
): Record<'usual' | 'large', Question> {
  const { usual, large } = questionsOfAll(owner, pattern);
  if (project === undefined) return { usual, large };
  const inProject = ({ match, isExact }: Question) => ({
    match: `(${match}) AND ${quoted(owner, markOf(project))}`,
    isExact,
  });
  return { usual: inProject(usual), large: inProject(large) };
}

function questionsOfAll(owner: number, pattern: string): Record<'usual' | 'large', Question> {
  const all = allOf(owner, pattern);
  if (pattern.length <= GRAM) {
    return {
      usual: { match: all, isExact: true },
      large: { match: quoted(owner, UNLISTED), isExact: false },
    };
  }
  const large = quoted(owner, LARGE);
  return {
    usual: { match: `(${all}) NOT ${large}`, isExact: false },
    large: { match: `${quoted(owner, UNLISTED)} OR (${large} AND ${all})`, isExact: false },
  };
}

/** Both in one query: every owner that may contain the folded pattern. The text decides. */
export function questionFor(owner: number, pattern: string): string {
  return `(${allOf(owner, pattern)}) OR ${quoted(owner, UNLISTED)}`;
}

function allOf(owner: number, pattern: string): string {
  return trigramsOf(pattern)
    .map((gram) => quoted(owner, gram.toString(36)))
    .join(' AND ');
}

// No base-36 gram contains an underscore.
const UNLISTED = '_unlisted';
const LARGE = '_large';

function markOf(project: number): string {
  return `_project_${project.toString(36)}`;
}

function token(owner: number, name: string): string {
  return `${owner.toString(36)}_${name}`;
}

function quoted(owner: number, name: string): string {
  return `"${token(owner, name)}"`;
}

const UNIT = 0x1_0000;

/** All grams of the texts; null if there are too many. */
function gramsOf(texts: readonly string[]): ReadonlySet<number> | null {
  const all = new Set<number>();
  for (const text of texts) {
    const grams = text.length > SMALL_CHARACTERS_MAX ? gramsOfLarge(text) : gramsOfText(text);
    if (grams === null) return null;
    for (const gram of grams) all.add(gram);
  }
  return all.size > GRAMS_MAX ? null : all;
}

const gramsOfLarge = cacheLast(gramsOfText);

function gramsOfText(text: string): ReadonlySet<number> | null {
  const grams = new Set<number>();
  let [before, last] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    grams.add(unit);
    if (at > 0) grams.add(last * UNIT + unit);
    if (at > 1) grams.add((before * UNIT + last) * UNIT + unit);
    if (grams.size > GRAMS_MAX) return null;
    [before, last] = [last, unit];
  }
  return grams;
}

/** The pattern itself if it is one gram, otherwise some of its trigrams, spread from beginning to end. */
function trigramsOf(pattern: string): number[] {
  const places = Math.max(1, pattern.length - GRAM + 1);
  const grams = [...new Set(Array.from({ length: places }, (_, at) => gramOf(pattern.slice(at, at + GRAM))))];
  const step = Math.max(1, (grams.length - 1) / (GRAMS_ASKED_MAX - 1));
  return grams.filter((_, index) => index === Math.round(Math.round(index / step) * step));
}

function gramOf(text: string): number {
  let gram = 0;
  for (let at = 0; at < text.length; at += 1) gram = gram * UNIT + text.charCodeAt(at);
  return gram;
}
