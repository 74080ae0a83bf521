/** Mentions are stored as `@[usr_…]`. Pages show the person's current name. */
const MENTION_PATTERN = /@\[(usr_[\w-]{1,60})\]/g;

/** Further mentions in the same text are displayed, but notify no one. */
export const NOTIFIED_MENTIONS_MAX = 50;

export function findMentionedIds(texts: Iterable<string>): string[] {
  const ids = new Set<string>();
  for (const text of texts) for (const [, id] of text.matchAll(MENTION_PATTERN)) ids.add(id as string);
  return [...ids];
}

export type TextOrMention = string | { readonly id: string };

export function splitAtMentions(text: string): TextOrMention[] {
  const pieces: TextOrMention[] = [];
  let from = 0;
  for (const { 0: whole, 1: id, index } of text.matchAll(MENTION_PATTERN)) {
    if (index > from) pieces.push(text.slice(from, index));
    pieces.push({ id: id as string });
    from = index + whole.length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

export function replaceMentions(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(MENTION_PATTERN, (written, id: string) =>
    names.has(id) ? `@${names.get(id)}` : written,
  );
}

/** For readers who may not see who was mentioned. */
export function hideMentions(text: string): string {
  return text.replace(MENTION_PATTERN, '@someone');
}
