/** Whoever a text mentions stands in it as `@[usr_…]`; pages show the name that the person has today. */
const MENTION = /@\[(usr_[\w-]{1,60})\]/g;

/** People whom one text can tell of itself; further ones are shown by name, and not told. */
export const MENTIONED_MAX = 50;

/** Ids of the mentioned people, each once. */
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

/** The text with names in place of ids; an id that nobody has stays as it was written. */
export function withNames(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(MENTION, (written, id: string) => (names.has(id) ? `@${names.get(id)}` : written));
}
