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
import { ActivitySource } from './history-entry.view.tsx';
import { Reactions } from './reactions.view.tsx';
import type { Task } from './task.view.tsx';

/** Also matches a mention that is cut off at the end of an excerpt. */
const MENTION_PATTERN = /@\[[^\]]*(?:\]|$)/g;
/** Also matches an image that is cut off. */
const IMAGE_PATTERN = /!\[[^[\]\n]*(?:\]\(attachment:\d*\)?|\](?:\([a-z]{0,10})?$|$)/g;

interface CommentThreadProps extends CommentCardProps {
  replies: readonly Pick<CommentCardProps, 'comment' | 'entry'>[];
}

export function CommentThread({ task, comment, entry, replies }: CommentThreadProps) {
  return (
    <>
      {comment.parent ? <ParentExcerpt parent={comment.parent} /> : null}
      <CommentCard task={task} comment={comment} entry={entry} />
      {replies.length > 0 ? (
        <ol class="replies">
          {replies.map((reply) => (
            <li>
              <CommentCard task={task} comment={reply.comment} entry={reply.entry} />
            </li>
          ))}
        </ol>
      ) : null}
      {task.isArchived ? null : <ReplyForm task={task} comment={comment} />}
    </>
  );
}

function ParentExcerpt({ parent: { author, text } }: { parent: NonNullable<Comment['parent']> }) {
  if (author === null) return <p class="parent-excerpt">In reply to a deleted comment</p>;
  return (
    <p class="parent-excerpt">
      In reply to <bdi>{author}</bdi>:{' '}
      <bdi>{(text ?? '').replace(MENTION_PATTERN, '@…').replace(IMAGE_PATTERN, '[image]')}</bdi>
    </p>
  );
}

/** Element ids contain the id of the thread, so that a refresh keeps a typed reply if its comment leaves the page. */
function ReplyForm({ task, comment }: Omit<CommentCardProps, 'entry'>) {
  const { base, rejected } = useVisit();
  const thread = comment.parent?.id ?? comment.id;
  const action = `${base}/tasks/${task.id}/comments/${comment.id}/replies`;
  return (
    <details id={`thread-${thread}`} class="edit text-edit reply" open={rejected?.action === action}>
      <summary aria-label={`Reply to ${comment.author.name}`}>Reply</summary>
      <Form action={action}>
        <CommentField id={`reply-${thread}`} task={task} submitLabel="Reply" label="Your reply" />
      </Form>
    </details>
  );
}

type Comment = NonNullable<FeedItem['comment']>;

interface CommentCardProps {
  task: Task;
  comment: Comment;
  /** The history entry that says how the comment was sent. Null if unknown. */
  entry: Parameters<typeof ActivitySource>[0]['entry'] | null;
}

function CommentCard({ task, comment, entry }: CommentCardProps) {
  const { base, caller, rejected } = useVisit();
  const commentUrl = `${base}/tasks/${task.id}/comments/${comment.id}`;
  const isMine = comment.author.id === caller.userId && !task.isArchived;
  const mayRemove = isMine || (!task.isArchived && getReach(caller, 'removeComments') === 'all');
  return (
    <article class="comment" id={`comment-${comment.id}`}>
      <header>
        <PersonName person={comment.author} />
        <span class="hint">
          <RelativeTime at={comment.createdAt} />
          {entry ? <ActivitySource entry={entry} /> : null}
        </span>
      </header>
      <CommentText text={comment.content} />
      <Reactions
        commentUrl={commentUrl}
        comment={comment}
        author={comment.author.name}
        isReadOnly={task.isArchived}
      />
      {isMine ? (
        <details class="edit text-edit" open={rejected?.action === commentUrl}>
          <summary>Edit</summary>
          <Form action={commentUrl} snapshot={{ content: comment.content }}>
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
          <Form action={`${commentUrl}/remove`}>
            <p>This can't be undone.</p>
            <button type="submit" class="danger">
              Delete comment
            </button>
          </Form>
        </details>
      ) : null}
    </article>
  );
}

export function NewCommentForm({ task }: { task: Task }) {
  const { base } = useVisit();
  const taskUrl = `${base}/tasks/${task.id}`;
  return (
    <Form action={`${taskUrl}/comments`} class="new-comment">
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
  label?: string;
}

/** When the field gets the focus, src/web/client/editor/comment-editor.ts shows buttons that insert Markdown. */
function CommentField({ task, id, submitLabel, label = 'Your comment', ...rest }: CommentFieldProps) {
  const { base } = useVisit();
  const mentions = `${base}/tasks/${task.id}/mentionable`;
  return (
    <>
      <TextArea
        id={id}
        name="content"
        label={label}
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
      <ul id={`${id}-images`} class="rows panel uploads" aria-label="Images" data-kept hidden />
    </>
  );
}
