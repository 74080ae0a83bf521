import { getReach } from '../../../kernel/access/capabilities.ts';
import type { Comment } from '../../../tasks/summaries/summaries.schema.ts';
import { useVisit } from '../../components/context.ts';
import { TextArea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { PersonName } from '../../components/people.tsx';
import { TextWithMentions } from '../../components/text-with-mentions.tsx';
import { RelativeTime } from '../../components/time.tsx';
import { Via } from './history-entry.view.tsx';
import type { Task } from './task.view.tsx';

interface CommentCardProps {
  task: Task;
  comment: Comment;
  /** Shows where the comment came from, or null if that is unknown. */
  entry: Parameters<typeof Via>[0]['entry'] | null;
}

export function CommentCard({ task, comment, entry }: CommentCardProps) {
  const { base, caller, refused } = useVisit();
  const own = `${base}/tasks/${task.id}/comments/${comment.id}`;
  const isMine = comment.author.id === caller.userId && !task.isArchived;
  const mayRemove = isMine || (!task.isArchived && getReach(caller, 'removeComments') === 'all');
  return (
    <article class="comment" id={`comment-${comment.id}`}>
      <header>
        <PersonName person={comment.author} />
        <span class="hint">
          <RelativeTime at={comment.createdAt} />
          {entry ? <Via entry={entry} /> : null}
        </span>
      </header>
      <p class="text">
        <TextWithMentions text={comment.content} hasLinks />
      </p>
      {isMine ? (
        <details class="edit text-edit" open={refused?.action === own}>
          <summary>Edit</summary>
          <Form action={own} shown={{ content: comment.content }}>
            <TextArea
              id={`content-${comment.id}`}
              name="content"
              label="Your comment"
              isLabelHidden
              value={comment.content}
              maxlength={20_000}
              mentions={`${base}/tasks/${task.id}/mentionable`}
            />
            <button type="submit">Save</button>
          </Form>
        </details>
      ) : null}
      {mayRemove ? (
        <details class="edit">
          <summary aria-label={`Delete comment by ${comment.author.name}`}>Delete</summary>
          <Form action={`${own}/remove`}>
            <p>You can't undo this.</p>
            <button type="submit" class="danger">
              Delete comment
            </button>
          </Form>
        </details>
      ) : null}
    </article>
  );
}

export function NewComment({ task }: { task: Task }) {
  const { base } = useVisit();
  const own = `${base}/tasks/${task.id}`;
  return (
    <Form action={`${own}/comments`} class="new-comment">
      <TextArea
        id="new-comment"
        name="content"
        label="Your comment"
        isLabelHidden
        rows={2}
        maxlength={20_000}
        placeholder="Write a comment… Type @ to mention someone"
        mentions={`${own}/mentionable`}
      />
      <noscript>
        <p>
          <a href={`${own}/mentionable`}>How to mention someone</a>
        </p>
      </noscript>
      <button type="submit">Comment</button>
    </Form>
  );
}
