import type * as z from 'zod';
import { formatCount, formatNumber } from '../../../kernel/text/number-format.ts';
import { FEED_ITEMS_MAX, type FeedItem, type listTaskFeed } from '../../../tasks/feed/feed.ts';
import { useVisit } from '../../components/context.ts';
import { Icon } from '../../components/icon.tsx';
import { Avatar } from '../../components/people.tsx';
import { RelativeTime } from '../../components/time.tsx';
import { CommentThread, NewCommentForm } from './comment.view.tsx';
import { HistoryEntry, type NameLookup } from './history-entry.view.tsx';
import type { taskParams } from './task.tsx';
import type { Task } from './task.view.tsx';

export const LATEST_ITEMS_SHOWN = 20;
const EARLIER_ITEMS_SHOWN = 40;
const FOLDED_CHANGES_MIN = 3;

type FeedParams = Pick<z.output<typeof taskParams>, 'activity' | 'shown' | 'before'>;
type Entry = NonNullable<FeedItem['entry']>;

interface ActivityFeedProps {
  task: Task;
  feed: z.output<typeof listTaskFeed.output>;
  params: FeedParams;
  names: NameLookup;
}

export function ActivityFeed({ task, feed: { items, total, hasMore }, params, names }: ActivityFeedProps) {
  const { base } = useVisit();
  const taskUrl = `${base}/tasks/${task.id}`;
  const toFeedUrl = (changed: Partial<FeedParams>) => buildFeedUrl(taskUrl, { ...params, ...changed });
  const blocks = groupFeedItems(items);
  return (
    <section class="section" id="activity" aria-labelledby="activity-name">
      <h2 id="activity-name">
        {params.activity === 'comments' ? 'Comments' : 'Activity'}{' '}
        <span class="number">{formatNumber(total)}</span>
        <span class="feed-filter">
          {(['all', 'comments'] as const).map((activity) => (
            <a
              href={buildFeedUrl(taskUrl, { activity, shown: LATEST_ITEMS_SHOWN })}
              aria-current={params.activity === activity ? 'true' : undefined}
            >
              {activity === 'all' ? 'All' : 'Comments'}
            </a>
          ))}
        </span>
      </h2>
      {hasMore ? <EarlierLink items={items} total={total} params={params} toFeedUrl={toFeedUrl} /> : null}
      {total === 0 ? <p class="hint">No comments yet.</p> : null}
      <ol class="feed">
        {blocks.map((block, index) =>
          Array.isArray(block) ? (
            <ChangeGroup entries={block} names={names} isNewest={index === blocks.length - 1} />
          ) : (
            <li>
              <CommentThread task={task} {...block} />
            </li>
          ),
        )}
      </ol>
      {params.before === undefined ? null : (
        <p>
          <a href={buildFeedUrl(taskUrl, { activity: params.activity, shown: LATEST_ITEMS_SHOWN })}>
            Back to the latest
          </a>
        </p>
      )}
      {task.isArchived ? null : <NewCommentForm task={task} />}
    </section>
  );
}

interface EarlierLinkProps extends Pick<ActivityFeedProps['feed'], 'items' | 'total'> {
  params: FeedParams;
  toFeedUrl: (changed: Partial<FeedParams>) => string;
}

/** The link adds earlier items to this page. Once the page is full, the link leads to a separate page instead. */
function EarlierLink({ items, total, params: { shown, before }, toFeedUrl }: EarlierLinkProps) {
  const isFull = before !== undefined || shown >= FEED_ITEMS_MAX;
  const next = Math.min(shown + EARLIER_ITEMS_SHOWN, FEED_ITEMS_MAX);
  return (
    <p>
      {isFull ? (
        <a href={toFeedUrl({ shown: FEED_ITEMS_MAX, before: items[0]?.key })}>Show earlier</a>
      ) : (
        <a href={toFeedUrl({ shown: next })}>
          Show {formatNumber(Math.min(next, total) - items.length)} earlier
        </a>
      )}
    </p>
  );
}

function buildFeedUrl(taskUrl: string, { activity, shown, before }: FeedParams): string {
  const query = new URLSearchParams();
  if (activity !== 'all') query.set('activity', activity);
  if (shown !== LATEST_ITEMS_SHOWN) query.set('shown', String(shown));
  if (before !== undefined) query.set('before', String(before));
  return `${taskUrl}${query.size > 0 ? `?${query}` : ''}#activity`;
}

type Comment = NonNullable<FeedItem['comment']>;
interface CommentBlock {
  comment: Comment;
  entry: Entry | null;
}
interface Thread extends CommentBlock {
  replies: CommentBlock[];
}
type FeedBlock = Entry[] | Thread;

/**
 * Groups consecutive changes by the same person, and replies below their comment. If that comment isn't on the page,
 * the first of its replies on the page takes its place. A comment that was deleted and restored is shown only once.
 */
function groupFeedItems(items: readonly FeedItem[]): FeedBlock[] {
  const lastByComment = new Map(items.map(({ key, comment }) => [comment?.id, key]));
  const threads = new Map<number, Thread>();
  const blocks: FeedBlock[] = [];
  for (const { key, entry, comment } of items) {
    const group = blocks.at(-1);
    if (comment && lastByComment.get(comment.id) === key) {
      const root = comment.parent?.id ?? comment.id;
      const thread = threads.get(root);
      if (thread && comment.parent === null) {
        // An undo restored the comment, so the feed lists it after its replies.
        thread.replies.unshift({ comment: thread.comment, entry: thread.entry });
        Object.assign(thread, { comment, entry });
      } else if (thread) thread.replies.push({ comment, entry });
      else {
        const started = { comment, entry, replies: [] };
        threads.set(root, started);
        blocks.push(started);
      }
    } else if (entry && Array.isArray(group) && belongsToGroup(group, entry)) group.push(entry);
    else if (entry) blocks.push([entry]);
  }
  return blocks;
}

function belongsToGroup(group: readonly Entry[], { actor, via }: Entry): boolean {
  const last = group.at(-1);
  return (
    last !== undefined &&
    last.actor.id === actor.id &&
    last.via === via &&
    last.type !== 'created' &&
    last.type !== 'duplicated'
  );
}

interface ChangeGroupProps {
  entries: readonly Entry[];
  names: NameLookup;
  isNewest: boolean;
}

function ChangeGroup({ entries, names, isNewest }: ChangeGroupProps) {
  const folded = isNewest ? entries.slice(0, -1) : entries;
  const [first] = folded;
  const last = folded.at(-1);
  if (!first || !last || folded.length < FOLDED_CHANGES_MIN)
    return (
      <>
        {entries.map((entry) => (
          <HistoryEntry entry={entry} names={names} />
        ))}
      </>
    );
  return (
    <>
      <li>
        <details class="changes" id={`changes-${first.id}`}>
          <summary class="change">
            <Avatar person={first.actor} hasVisibleName />
            <span>
              <strong>{first.actor.name}</strong> made {formatCount(folded.length, 'change')} ·{' '}
              <RelativeTime at={last.createdAt} />
            </span>
            <Icon name="chevron-down" />
          </summary>
          <ol class="feed">
            {folded.map((entry) => (
              <HistoryEntry entry={entry} names={names} />
            ))}
          </ol>
        </details>
      </li>
      {entries.slice(folded.length).map((entry) => (
        <HistoryEntry entry={entry} names={names} />
      ))}
    </>
  );
}
