import { type CommentReaction, type ReactionName, reactionNames } from './reactions.schema.ts';

interface StoredReaction {
  reaction: ReactionName;
  count: number;
  isMine: 0 | 1;
  /** The member numbers of `people` in the order of their reactions. */
  first: readonly (number | null)[];
  people: readonly { no: number; id: string; name: string }[];
}

/** @param stored the value of the column that `buildReactionsColumn` builds. */
export function toReactions(stored: string | null): CommentReaction[] {
  const found: StoredReaction[] = JSON.parse(stored ?? '[]');
  return found
    .map(({ reaction, count, isMine, first, people }) => ({
      reaction,
      count,
      isMine: isMine === 1,
      people: people
        .toSorted((one, other) => first.indexOf(one.no) - first.indexOf(other.no))
        .map(({ id, name }) => ({ id, name })),
    }))
    .toSorted((one, other) => reactionNames.indexOf(one.reaction) - reactionNames.indexOf(other.reaction));
}
