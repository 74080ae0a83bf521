import type * as z from 'zod';
import type { listLatestComments } from '../../../dashboard/comments/latest-comments.ts';
import { getReach } from '../../../kernel/access/capabilities.ts';
import { CANDIDATES_READ_MAX } from '../../../kernel/lists/bounded-count.ts';
import { describeImages } from '../../../kernel/rich-text/attachment-images.ts';
import { formatNumber } from '../../../kernel/text/number-format.ts';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Avatar } from '../../components/people.tsx';
import { StatusRing } from '../../components/status-and-priority.tsx';
import { TextWithMentions } from '../../components/text-with-mentions.tsx';
import { Deadline, RelativeTime } from '../../components/time.tsx';
import type { DashboardParams } from './dashboard.tsx';
import type { Props } from './dashboard.view.tsx';
import { DashboardSection } from './dashboard-section.view.tsx';
import { DEADLINES_SHOWN_MAX, formatDateRange, getDeadlinesEndDate } from './date-ranges.ts';
import { buildTaskListLink } from './task-list-link.ts';

export function UpcomingDeadlines({ params, answers: { due } }: Pick<Props, 'params' | 'answers'>) {
  const { base, today } = useVisit();
  const { from, to, q } = params;
  const { count, isAll } = due.total;
  // A text search reads only the newest tasks, so earlier deadlines may be missing even if the list is full.
  const isFull = due.data.length === DEADLINES_SHOWN_MAX && q === undefined;
  const isComplete = isFull || (isAll && due.data.length === Math.min(count, DEADLINES_SHOWN_MAX));
  const days = from || to ? { from, to } : { from: today, to: getDeadlinesEndDate(today) };
  return (
    <DashboardSection
      id="due"
      title={from || to ? 'Deadlines' : 'Due in the next two weeks'}
      days={formatDateRange(params, today)}
      number={`${formatNumber(count)}${isAll ? '' : '+'}`}
      to={buildTaskListLink(base, params, days, { sort: 'due' })}
    >
      {due.data.length === 0 ? (
        <EmptyState icon="calendar">
          {isFiltered(params) ? 'No matching tasks are due' : 'No tasks are due'}{' '}
          {from || to ? 'on these dates.' : 'in the next two weeks.'}
        </EmptyState>
      ) : (
        <ul class="rows panel">
          {due.data.map((task) => (
            <li>
              <span class="status" title={task.status.label}>
                <StatusRing value={task.status.value} />
                <span class="off-screen">{task.status.label}</span>
              </span>
              <a class="row-name" href={`${base}/tasks/${task.id}`}>
                {task.title}
              </a>
              <span class="row-meta row-project wide-only">{task.project.name}</span>
              {task.assignee ? <Avatar person={task.assignee} /> : null}
              <span class="row-date">
                {task.deadline ? (
                  <Deadline date={task.deadline} isDone={task.status.value === 'completed'} />
                ) : null}
              </span>
            </li>
          ))}
        </ul>
      )}
      {isComplete ? null : (
        <p class="hint">
          {q
            ? `Only the newest ${CANDIDATES_READ_MAX.tasks} matches for “${q}” were checked against the other filters. There may be more.`
            : 'Showing only tasks with the nearest deadlines. There may be more.'}
        </p>
      )}
    </DashboardSection>
  );
}

function isFiltered({ mode: _mode, ...filters }: DashboardParams): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

interface LatestCommentsProps {
  comments: z.output<typeof listLatestComments.output>;
  params: DashboardParams;
}

export function LatestComments({ comments: { data, isCut }, params }: LatestCommentsProps) {
  const { base, caller, today } = useVisit();
  if (data.length === 0 && !(isFiltered(params) && getReach(caller, 'seeDashboardComments') !== 'none'))
    return null;
  return (
    <DashboardSection id="comments" title="Latest comments" days={formatDateRange(params, today)}>
      {data.length === 0 ? (
        <EmptyState icon="message-square">No matching comments.</EmptyState>
      ) : (
        <ul class="rows panel">
          {data.map((comment) => (
            <li>
              <Avatar person={comment.author} />
              <a class="row-name" href={`${base}/tasks/${comment.task.id}#comment-${comment.id}`}>
                <TextWithMentions text={describeImages(comment.content)} />
              </a>
              <span class="row-meta">
                <RelativeTime at={comment.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {isCut ? (
        <p class="hint">
          Only the newest {CANDIDATES_READ_MAX.comments} matches for “<bdi>{params.q}</bdi>” were checked
          against the other filters. There may be more.
        </p>
      ) : null}
    </DashboardSection>
  );
}
