import { getReach } from '../../../kernel/access/capabilities.ts';
import type { Comment } from '../../../tasks/summaries/summaries.schema.ts';
import { useVisit } from '../../components/context.ts';
import { TextArea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { PersonName } from '../../components/people.tsx';
import { TextWithMentions } from '../../components/text-with-mentions.tsx';
import { RelativeTime } from '../../components/time.tsx';
import type { Task } from './task.view.tsx';

interface CommentPage {
  readonly data: readonly Comment[];
  readonly meta: { readonly total: number; readonly offset: number; readonly hasMore: boolean };
}

interface CommentsProps {
  task: Task;
  /** The page of comments that the URL selects, if any. It replaces the latest comments. */
  earlier: CommentPage | null;
  from: number | undefined;
}

export function Comments({ task, earlier, from }: CommentsProps) {
  const { base } = useVisit();
  const own = `${base}/tasks/${task.id}`;
  const shown = earlier?.data ?? task.comments;
  if (task.isArchived && shown.length === 0) return null;
  const mayBeMore = earlier === null && task.comments.length >= 10;
  return (
    <section class="section" aria-labelledby="comments-name">
      <h2 id="comments-name">Comments {earlier ? <span class="number">{earlier.meta.total}</span> : null}</h2>
      {mayBeMore ? (
        <p>
          <a href={`${own}?comments=0`}>View all comments</a>
        </p>
      ) : null}
      {shown.map((comment) => (
        <CommentItem task={task} comment={comment} />
      ))}
      {earlier?.meta.hasMore ? (
        <p>
          <a href={`${own}?comments=${(from ?? 0) + earlier.data.length}`}>Newer comments</a>
        </p>
      ) : null}
      {task.isArchived ? null : (
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
      )}
    </section>
  );
}

function CommentItem({ task, comment }: { task: Task; comment: Comment }) {
  const { base, caller, refused } = useVisit();
  const own = `${base}/tasks/${task.id}/comments/${comment.id}`;
  const isMine = comment.author.id === caller.userId && !task.isArchived;
  const mayRemove = isMine || (!task.isArchived && getReach(caller, 'removeComments') === 'all');
  return (
    <article class="comment" id={`comment-${comment.id}`}>
      <header>
        <PersonName person={comment.author} />
        <RelativeTime at={comment.createdAt} />
      </header>
      <p class="text">
        <TextWithMentions text={comment.content} hasLinks />
      </p>
      {isMine ? (
        <details class="edit" open={refused?.action === own}>
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
