import { type SQL, sql } from 'drizzle-orm';
import { type Statement, write } from '../kernel/database.ts';
import { fold } from '../tasks/fold.ts';
import { SHORT_MAX, shortTerm, shortTermsOf } from './short-terms.ts';

/*
 * Rows of both indexes are numbered by workspace and comment, so that a range of numbers is one tenant's part. They say
 * that a comment holds a term and not where: a question of many terms costs what its rarest one costs, and never the
 * comparing of positions, which grows with the square of a repetitive text.
 */

export const COMMENT_BITS = sql.raw('4294967295');

/** D1 binds numbers as REAL, and FTS5 ignores a range of REALs silently: whoever binds one casts it. */
export function searchRowid(ws: SQL, comment: SQL): SQL {
  return sql`((${ws} << 32) | ${comment})`;
}

const integer = (value: number | SQL) => sql`CAST(${value} AS INTEGER)`;

/** A shorter text has none of them. */
export const TRIGRAM = 3;
/** The more of a long question is asked for, the fewer comments are opened in vain; this many are enough. */
const TRIGRAMS_ASKED_MAX = 12;

/** Question for what is left of a text of three characters and more: all of these. */
export function trigramQuestion(folded: string): string {
  return trigramsOf([...folded])
    .map(quote)
    .join(' AND ');
}

function quote(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

/** Distinct trigrams from all over the text. */
function trigramsOf(characters: readonly string[]): string[] {
  const last = characters.length - TRIGRAM;
  const step = Math.max(1, last / (TRIGRAMS_ASKED_MAX - 1));
  const found = new Set<string>();
  for (let at = 0; at <= last + 0.001; at += step) {
    const from = Math.round(at);
    found.add(characters.slice(from, from + TRIGRAM).join(''));
  }
  return [...found];
}

interface SearchRange {
  /** Ids of comments, both included. */
  from: SQL;
  to: SQL;
}

const everyId: SearchRange = { from: sql`0`, to: COMMENT_BITS };

/** FROM and WHERE of the comments `c` that hold the text, archived ones included, with their rows `s` of the index. */
export function searchedComments(ws: number, search: string, ids: SearchRange = everyId): SQL {
  const folded = fold(search);
  const characters = [...folded];
  const isShort = characters.length <= SHORT_MAX;
  const index = sql.raw(isShort ? 'comment_terms' : 'comment_search');
  const match = isShort ? quote(shortTerm(folded)) : trigramQuestion(folded);
  // One term says it all; several may stand apart.
  const isHeld = characters.length > TRIGRAM ? sql`instr(c.content_key, ${folded}) > 0` : sql`true`;
  const workspace = integer(ws);
  return sql`
    ${index} s CROSS JOIN comments c ON c.id = (s.rowid & ${COMMENT_BITS})
    WHERE ${index} MATCH ${match}
    AND s.rowid BETWEEN ${searchRowid(workspace, ids.from)} AND ${searchRowid(workspace, ids.to)}
    AND c.ws = ${ws} AND ${isHeld}`;
}

/** Indexes a comment. */
export function indexComment(ws: number, id: SQL, content: string): Statement<void>[] {
  const rowid = searchRowid(integer(ws), integer(id));
  return [
    write(sql`INSERT INTO comment_search (rowid, content) VALUES (${rowid}, ${fold(content)})`),
    write(sql`INSERT INTO comment_terms (rowid, terms) VALUES (${rowid}, ${shortTermsOf(content)})`),
  ];
}

export function forgetComment(ws: number, id: SQL): Statement<void>[] {
  const rowid = searchRowid(integer(ws), integer(id));
  return [
    write(sql`DELETE FROM comment_search WHERE rowid = ${rowid}`),
    write(sql`DELETE FROM comment_terms WHERE rowid = ${rowid}`),
  ];
}
