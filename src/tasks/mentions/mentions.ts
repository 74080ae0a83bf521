/** Texts store a mention as `@[usr_…]`. Pages show the person's current name. */
const MENTION_PATTERN = /@\[(usr_[\w-]{1,60})\]/g;

/** The most people that one text notifies. Further mentions are shown, but don't notify. */
export const NOTIFIED_MENTIONS_MAX = 50;

/** Ids of the mentioned people, without duplicates. */
export function findMentionedIds(texts: Iterable<string>): string[] {
  const ids = new Set<string>();
  for (const text of texts) for (const [, id] of text.matchAll(MENTION_PATTERN)) ids.add(id as string);
  return [...ids];
}

/** Part of a text: what was written, or the id of a person. */
export type TextPiece = string | { readonly id: string };

export function splitMentions(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const { 0: whole, 1: id, index } of text.matchAll(MENTION_PATTERN)) {
    if (index > from) pieces.push(text.slice(from, index));
    pieces.push({ id: id as string });
    from = index + whole.length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

/** The text with names in place of ids. Unknown ids stay as they were written. */
export function replaceMentions(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(MENTION_PATTERN, (written, id: string) =>
    names.has(id) ? `@${names.get(id)}` : written,
  );
}
