import type { CommentReaction, ReactionName } from '../../../tasks/reactions/reactions.schema.ts';
import { useVisit } from '../../components/context.ts';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';

const emojis: Readonly<Record<ReactionName, { emoji: string; label: string }>> = {
  thumbs_up: { emoji: '👍', label: 'Thumbs up' },
  thumbs_down: { emoji: '👎', label: 'Thumbs down' },
  heart: { emoji: '❤️', label: 'Heart' },
  laugh: { emoji: '😄', label: 'Laugh' },
  celebrate: { emoji: '🎉', label: 'Celebrate' },
  eyes: { emoji: '👀', label: 'Eyes' },
};

interface ReactionsProps {
  commentUrl: string;
  comment: { id: number; reactions: readonly CommentReaction[] };
  author: string;
  isReadOnly: boolean;
}

/** Without reactions, displays only the button in the comment's header. */
export function Reactions({ commentUrl, comment: { id, reactions }, author, isReadOnly }: ReactionsProps) {
  const className = reactions.length > 0 ? 'reactions' : 'reactions none';
  if (isReadOnly)
    return reactions.length === 0 ? null : (
      <div class={className}>
        {reactions.map((each) => (
          <ReactionCount reaction={each} />
        ))}
      </div>
    );
  return (
    <Form id={`reactions-${id}`} action={`${commentUrl}/reactions`} class={className}>
      {reactions.map((each) => (
        <ReactionButton commentUrl={commentUrl} id={`reaction-${id}-${each.reaction}`} reaction={each} />
      ))}
      <details class="drop-down menu-button">
        <summary
          class="button quiet"
          title="Add reaction"
          aria-label={`Add reaction to comment by ${author}`}
        >
          <Icon name="smile-plus" />
        </summary>
        <div>
          {Object.entries(emojis).map(([reaction, { emoji, label }]) => (
            <button
              type="submit"
              class="quiet"
              name="reaction"
              value={reaction}
              aria-label={label}
              title={label}
            >
              <span aria-hidden="true">{emoji}</span>
            </button>
          ))}
        </div>
      </details>
    </Form>
  );
}

function ReactionButton({
  commentUrl,
  id,
  reaction,
}: {
  commentUrl: string;
  id: string;
  reaction: CommentReaction;
}) {
  const { isMine } = reaction;
  const people = useReactorNames(reaction);
  return (
    <button
      type="submit"
      id={id}
      class="reaction"
      formaction={isMine ? `${commentUrl}/reactions/remove` : undefined}
      name="reaction"
      value={reaction.reaction}
      aria-pressed={isMine ? 'true' : 'false'}
      aria-label={describeReaction(reaction, people)}
      title={people}
    >
      <span aria-hidden="true">{emojis[reaction.reaction].emoji}</span> {reaction.count}
    </button>
  );
}

function ReactionCount({ reaction }: { reaction: CommentReaction }) {
  const people = useReactorNames(reaction);
  return (
    <span class="reaction" role="img" aria-label={describeReaction(reaction, people)} title={people}>
      <span aria-hidden="true">{emojis[reaction.reaction].emoji}</span> {reaction.count}
    </span>
  );
}

const describeReaction = ({ reaction, count }: CommentReaction, people: string) =>
  `${emojis[reaction].label}, ${count}: ${people}`;

/** Returns text such as "You, Ada and 3 others". */
function useReactorNames({ count, isMine, people }: CommentReaction): string {
  const { caller } = useVisit();
  const namedPeople = [
    ...(isMine ? ['You'] : []),
    ...people.filter(({ id }) => id !== caller.userId).map(({ name }) => name),
  ];
  const others = count - namedPeople.length;
  const listed = others > 0 ? [...namedPeople, formatOthers(others)] : namedPeople;
  return listed.length > 1 ? `${listed.slice(0, -1).join(', ')} and ${listed.at(-1)}` : (listed[0] ?? '');
}

const formatOthers = (count: number) => (count === 1 ? '1 other' : `${count} others`);
