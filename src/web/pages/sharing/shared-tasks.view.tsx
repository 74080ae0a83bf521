import type * as z from 'zod';
import { formatNumber } from '../../../kernel/text/number-format.ts';
import type {
  SharedTask,
  SharedTasks,
  sharedTask,
} from '../../../sharing/shared-tasks/shared-tasks.schema.ts';
import type { TaskStatus } from '../../../tasks/fields.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatRelativeDay, formatShortDate, getDueState } from '../../components/format-date.ts';
import { RichText } from '../../components/linked-text.tsx';
import { PriorityIcon, PriorityLabel, StatusRing } from '../../components/status-and-priority.tsx';
import { TagList } from '../../components/tags.tsx';
import { ChecklistProgress, SubtaskProgress } from '../../components/task-progress.tsx';
import { formatLongDate } from '../../components/time.tsx';
import { HtmlDocument } from '../../server/layout.tsx';

interface SharedTasksPageProps {
  shared: SharedTasks;
  /** The link's path. */
  address: string;
  only: TaskStatus | undefined;
}

export function SharedTasksPage({ shared, address, only }: SharedTasksPageProps) {
  const { name, columns, next, today } = shared;
  const isEmpty = columns.every(({ tasks }) => tasks.length === 0);
  return (
    <VisitorLayout shared={shared} title={name} isWide>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      {only === undefined ? null : (
        <p>
          <a href={address}>All columns</a>
        </p>
      )}
      {isEmpty ? (
        <EmptyState icon="layout-list">
          <p>No tasks yet.</p>
        </EmptyState>
      ) : (
        <div class="board shared-board">
          {columns.map((column) => (
            <SharedColumn column={column} address={address} today={today} />
          ))}
        </div>
      )}
      {next === null ? null : (
        <p>
          <a class="button plain" href={`${address}?after=${encodeURIComponent(next)}`}>
            Next page
          </a>
        </p>
      )}
    </VisitorLayout>
  );
}

interface SharedColumnProps {
  column: SharedTasks['columns'][number];
  address: string;
  today: string;
}

function SharedColumn({ column: { status, label, total, tasks, next }, address, today }: SharedColumnProps) {
  const id = `column-${status}`;
  return (
    <section class="column" aria-labelledby={id}>
      <h2 id={id}>
        <StatusRing value={status} />
        {label}
        {total === null ? null : <span class="number">{formatNumber(total)}</span>}
      </h2>
      <ul class="cards" aria-label={label}>
        {tasks.map((task) => (
          <SharedCard task={task} address={address} today={today} />
        ))}
        {next === null ? null : (
          <li class="more">
            <a href={`${address}?status=${status}&after=${encodeURIComponent(next)}`}>Show more</a>
          </li>
        )}
      </ul>
    </section>
  );
}

const TAGS_ON_CARD_MAX = 3;

function SharedCard({ task, address, today }: { task: SharedTask; address: string; today: string }) {
  const { id, name, priority, tags, subtasks, checklist, assignees } = task;
  return (
    <li>
      <a href={`${address}/tasks/${id}`}>{name}</a>
      {tags.length === 0 ? null : (
        <div class="card-meta">
          <TagList tags={tags} labels={null} max={TAGS_ON_CARD_MAX} />
        </div>
      )}
      <div class="card-meta">
        <PriorityIcon priority={priority} />
        <SharedDeadline task={task} today={today} />
        {subtasks.total > 0 ? <SubtaskProgress of={subtasks} /> : null}
        {checklist.total > 0 ? <ChecklistProgress of={checklist} /> : null}
        {assignees.length > 0 ? <span class="end clip">{assignees.join(', ')}</span> : null}
      </div>
    </li>
  );
}

function SharedDeadline({
  task: { deadline, dueTime, status },
  today,
}: {
  task: Pick<SharedTask, 'deadline' | 'dueTime' | 'status'>;
  today: string;
}) {
  if (deadline === null) return null;
  const state = status === 'completed' ? 'done' : getDueState(deadline, today);
  return (
    <span class={`due ${state}`} title={formatLongDate(deadline)}>
      {formatRelativeDay(deadline, today)}
      {dueTime ? ` ${dueTime}` : null}
    </span>
  );
}

interface SharedTaskPageProps {
  shared: z.output<typeof sharedTask>;
  address: string;
}

export function SharedTaskPage({ shared, address }: SharedTaskPageProps) {
  const { task, today, name } = shared;
  const { subtasks, checklist, assignees, startDate, deadline, description } = task;
  return (
    <VisitorLayout shared={shared} title={task.name}>
      <p>
        <a href={address}>
          <bdi>{name}</bdi>
        </a>
      </p>
      <h1>{task.name}</h1>
      <dl class="facts">
        <dt>Status</dt>
        <dd>
          <span class="status">
            <StatusRing value={task.status} />
            {task.statusLabel}
          </span>
        </dd>
        <dt>Priority</dt>
        <dd>
          <PriorityLabel priority={task.priority} />
        </dd>
        {startDate === null ? null : (
          <>
            <dt>Start date</dt>
            <dd>{formatShortDate(startDate, today)}</dd>
          </>
        )}
        {deadline === null ? null : (
          <>
            <dt>Deadline</dt>
            <dd>
              <SharedDeadline task={task} today={today} />
            </dd>
          </>
        )}
        {assignees.length === 0 ? null : (
          <>
            <dt>{assignees.length === 1 ? 'Assignee' : 'Assignees'}</dt>
            <dd>{assignees.join(', ')}</dd>
          </>
        )}
        {task.tags.length === 0 ? null : (
          <>
            <dt>Tags</dt>
            <dd>
              <TagList tags={task.tags} labels={null} />
            </dd>
          </>
        )}
        {subtasks.total === 0 && checklist.total === 0 ? null : (
          <>
            <dt>Progress</dt>
            <dd>
              {subtasks.total > 0 ? <SubtaskProgress of={subtasks} /> : null}{' '}
              {checklist.total > 0 ? <ChecklistProgress of={checklist} /> : null}
            </dd>
          </>
        )}
      </dl>
      {description === null || description === '' ? null : (
        <section aria-labelledby="description-name">
          <h2 id="description-name">Description</h2>
          <RichText html={description} />
        </section>
      )}
    </VisitorLayout>
  );
}

interface VisitorLayoutProps {
  shared: Pick<SharedTasks, 'workspaceName'>;
  title: string;
  isWide?: boolean;
  children?: unknown;
}

function VisitorLayout({ shared: { workspaceName }, title, isWide = false, children }: VisitorLayoutProps) {
  const width = isWide ? 'board-wide' : 'wide';
  return (
    <HtmlDocument title={`${title} · ${workspaceName}`} kind="site">
      <header class={`site-head ${width}`}>
        <span class="brand">
          <bdi>{workspaceName}</bdi>
        </span>
        <span class="note">Shared by link, read-only</span>
      </header>
      <main id="content" class={width}>
        {children}
      </main>
    </HtmlDocument>
  );
}
