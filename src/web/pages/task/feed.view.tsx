import type * as z from 'zod';
import { formatCount, formatNumber } from '../../../kernel/text/number-format.ts';
import { FEED_ITEMS_MAX, type FeedItem, type listTaskFeed } from '../../../tasks/feed/feed.ts';
import { useVisit } from '../../components/context.ts';
import { Icon } from '../../components/icon.tsx';
import { Avatar } from '../../components/people.tsx';
import { RelativeTime } from '../../components/time.tsx';
import { CommentCard, NewComment } from './comment.view.tsx';
import { HistoryEntry, type NameLookup } from './history-entry.view.tsx';
import type { taskParams } from './task.tsx';
import type { Task } from './task.view.tsx';

export const FEED_ITEMS_SHOWN = 20;
const EARLIER_ITEMS_SHOWN = 40;
const FOLDED_CHANGES_MIN = 3;

type Params = Pick<z.output<typeof taskParams>, 'activity' | 'shown' | 'before'>;
type Entry = NonNullable<FeedItem['entry']>;

interface FeedProps {
  task: Task;
  feed: z.output<typeof listTaskFeed.output>;
  params: Params;
  names: NameLookup;
}

export function Feed({ task, feed: { items, total, hasMore }, params, names }: FeedProps) {
  const { base } = useVisit();
  const own = `${base}/tasks/${task.id}`;
  const toAddress = (changed: Partial<Params>) => buildFeedAddress(own, { ...params, ...changed });
  const blocks = groupItems(items);
  return (
    <section class="section" id="activity" aria-labelledby="activity-name">
      <h2 id="activity-name">
        {params.activity === 'comments' ? 'Comments' : 'Activity'}{' '}
        <span class="number">{formatNumber(total)}</span>
        <span class="feed-filter">
          {(['all', 'comments'] as const).map((activity) => (
            <a
              href={buildFeedAddress(own, { activity, shown: FEED_ITEMS_SHOWN })}
              aria-current={params.activity === activity ? 'true' : undefined}
            >
              {activity === 'all' ? 'All' : 'Comments'}
            </a>
          ))}
        </span>
      </h2>
      {hasMore ? <EarlierLink items={items} total={total} params={params} toAddress={toAddress} /> : null}
      {total === 0 ? <p class="hint">No comments yet.</p> : null}
      <ol class="feed">
        {blocks.map((block, index) =>
          Array.isArray(block) ? (
            <Changes entries={block} names={names} isNewest={index === blocks.length - 1} />
          ) : (
            <li>
              <CommentCard task={task} comment={block.comment} entry={block.entry} />
            </li>
          ),
        )}
      </ol>
      {params.before === undefined ? null : (
        <p>
          <a href={buildFeedAddress(own, { activity: params.activity, shown: FEED_ITEMS_SHOWN })}>
            Back to the latest
          </a>
        </p>
      )}
      {task.isArchived ? null : <NewComment task={task} />}
    </section>
  );
}

interface EarlierLinkProps extends Pick<FeedProps['feed'], 'items' | 'total'> {
  params: Params;
  toAddress: (changed: Partial<Params>) => string;
}

/** Adds earlier items to the page until it is full. After that, each page replaces the previous one. */
function EarlierLink({ items, total, params: { shown, before }, toAddress }: EarlierLinkProps) {
  const isFull = before !== undefined || shown >= FEED_ITEMS_MAX;
  const next = Math.min(shown + EARLIER_ITEMS_SHOWN, FEED_ITEMS_MAX);
  return (
    <p>
      {isFull ? (
        <a href={toAddress({ shown: FEED_ITEMS_MAX, before: items[0]?.key })}>Show earlier</a>
      ) : (
        <a href={toAddress({ shown: next })}>
          Show {formatNumber(Math.min(next, total) - items.length)} earlier
        </a>
      )}
    </p>
  );
}

function buildFeedAddress(own: string, { activity, shown, before }: Params): string {
  const query = new URLSearchParams();
  if (activity !== 'all') query.set('activity', activity);
  if (shown !== FEED_ITEMS_SHOWN) query.set('shown', String(shown));
  if (before !== undefined) query.set('before', String(before));
  return `${own}${query.size > 0 ? `?${query}` : ''}#activity`;
}

type Comment = NonNullable<FeedItem['comment']>;
type Block = Entry[] | { comment: Comment; entry: Entry | null };

/** Groups consecutive changes by the same person. A comment that was deleted and restored is shown only once. */
function groupItems(items: readonly FeedItem[]): Block[] {
  const lastByComment = new Map(items.map(({ key, comment }) => [comment?.id, key]));
  const blocks: Block[] = [];
  for (const { key, entry, comment } of items) {
    const run = blocks.at(-1);
    if (comment && lastByComment.get(comment.id) === key) blocks.push({ comment, entry });
    else if (entry && Array.isArray(run) && isContinued(run, entry)) run.push(entry);
    else if (entry) blocks.push([entry]);
  }
  return blocks;
}

function isContinued(run: readonly Entry[], { actor, via }: Entry): boolean {
  const last = run.at(-1);
  return (
    last !== undefined &&
    last.actor.id === actor.id &&
    last.via === via &&
    last.type !== 'created' &&
    last.type !== 'duplicated'
  );
}

interface ChangesProps {
  entries: readonly Entry[];
  names: NameLookup;
  isNewest: boolean;
}

function Changes({ entries, names, isNewest }: ChangesProps) {
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
