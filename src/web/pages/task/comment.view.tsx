import { getReach } from '../../../kernel/access/capabilities.ts';
import type { FeedItem } from '../../../tasks/feed/feed.ts';
import { COMMENT_CHARACTERS_MAX } from '../../../tasks/summaries/summaries.schema.ts';
import { CommentText } from '../../components/comment-text.tsx';
import { useVisit } from '../../components/context.ts';
import { TextArea, type TextAreaProps } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { PersonName } from '../../components/people.tsx';
import { RelativeTime } from '../../components/time.tsx';
import { assets } from '../../page-model/assets.ts';
import { Via } from './history-entry.view.tsx';
import { Reactions } from './reactions.view.tsx';
import type { Task } from './task.view.tsx';

interface CommentCardProps {
  task: Task;
  comment: NonNullable<FeedItem['comment']>;
  /** Shows where the comment came from, or null if that is unknown. */
  entry: Parameters<typeof Via>[0]['entry'] | null;
}

export function CommentCard({ task, comment, entry }: CommentCardProps) {
  const { base, caller, rejected } = useVisit();
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
      <CommentText text={comment.content} />
      <Reactions own={own} comment={comment} author={comment.author.name} isReadOnly={task.isArchived} />
      {isMine ? (
        <details class="edit text-edit" open={rejected?.action === own}>
          <summary>Edit</summary>
          <Form action={own} shown={{ content: comment.content }}>
            <CommentField
              id={`content-${comment.id}`}
              task={task}
              submitLabel="Save"
              value={comment.content}
            />
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
      <CommentField
        id="new-comment"
        task={task}
        submitLabel="Comment"
        placeholder="Write a comment… Type @ to mention someone"
      />
    </Form>
  );
}

interface CommentFieldProps extends Pick<TextAreaProps, 'value' | 'placeholder'> {
  task: Task;
  id: string;
  submitLabel: string;
}

/** Once someone starts typing, src/web/client/editor/comment-editor.ts shows buttons that type Markdown. */
function CommentField({ task, id, submitLabel, ...rest }: CommentFieldProps) {
  const { base } = useVisit();
  const mentions = `${base}/tasks/${task.id}/mentionable`;
  return (
    <>
      <TextArea
        id={id}
        name="content"
        label="Your comment"
        isLabelHidden
        rows={2}
        maxlength={COMMENT_CHARACTERS_MAX}
        mentions={mentions}
        module={assets.commentEditor}
        {...rest}
      />
      <noscript>
        <p>
          <a href={mentions}>How to mention someone</a>
        </p>
      </noscript>
      <button type="submit">{submitLabel}</button>
      <div id={`${id}-tools`} class="comment-tools" data-kept hidden />
    </>
  );
}
