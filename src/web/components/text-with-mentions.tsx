import { splitAtMentions } from '../../tasks/mentions/mentions.ts';
import { useVisit } from './context.ts';
import { LinkedText } from './linked-text.tsx';

interface TextWithMentionsProps {
  text: string;
  /** Turns URLs into links. Must be false inside a link. */
  hasLinks?: boolean;
}

export function TextWithMentions({ text, hasLinks = false }: TextWithMentionsProps) {
  const { names, caller } = useVisit();
  return (
    <>
      {splitAtMentions(text).map((piece) => {
        if (typeof piece === 'string') return hasLinks ? <LinkedText text={piece} /> : piece;
        const name = names.get(piece.id);
        if (name === undefined) return `@[${piece.id}]`;
        return (
          <span class={piece.id === caller.userId ? 'mention me' : 'mention'} data-person={piece.id}>
            @<bdi>{name}</bdi>
          </span>
        );
      })}
    </>
  );
}
