/** Texts store a mention as `@[usr_…]`. Pages show the person's current name. */
const MENTION = /@\[(usr_[\w-]{1,60})\]/g;

/** The most people that one text notifies. Further mentions are shown, but don't notify. */
export const MENTIONED_MAX = 50;

/** Ids of the mentioned people, without duplicates. */
export function mentionedIn(texts: Iterable<string>): string[] {
  const ids = new Set<string>();
  for (const text of texts) for (const [, id] of text.matchAll(MENTION)) ids.add(id as string);
  return [...ids];
}

/** Part of a text: what was written, or the id of a person. */
export type Piece = string | { readonly id: string };

export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: whole, 1: id, index } of text.matchAll(MENTION)) {
    if (index > from) pieces.push(text.slice(from, index));
    pieces.push({ id: id as string });
    from = index + whole.length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

/** The text with names in place of ids. Unknown ids stay as they were written. */
export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(MENTION, (written, id: string) => (names.has(id) ? `@${names.get(id)}` : written));
}
