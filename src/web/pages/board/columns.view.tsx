import { formatNumber, formatNumberUpTo } from '../../../kernel/text/number-format.ts';
import { type TaskStatus, taskStatuses } from '../../../tasks/model/tasks.schema.ts';
import { type Card, FILES_COUNTED_MAX } from '../../../tasks/operations/cards.schema.ts';
import { QUICK_ADD_CHARACTERS_MAX } from '../../../tasks/quick-add/quick-add.schema.ts';
import { BlockedBadge } from '../../components/blocked-badge.tsx';
import { CompleteButton, CompleteTasksForm } from '../../components/complete-button.tsx';
import { useVisit } from '../../components/context.ts';
import { Alert, Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import type { IconName } from '../../components/icon-names.ts';
import { ParentTaskMark } from '../../components/parent-task-mark.tsx';
import { Avatars } from '../../components/people.tsx';
import { PickerData, PickerLink } from '../../components/picker-data.tsx';
import { setQueryParameter } from '../../components/set-query-parameter.ts';
import { PriorityIcon, type StatusDisplay, StatusRing } from '../../components/status-and-priority.tsx';
import { type LabelChoices, TagList } from '../../components/tags.tsx';
import { ChecklistProgress, RepeatIcon, SubtaskProgress } from '../../components/task-progress.tsx';
import { Deadline } from '../../components/time.tsx';
import { assets } from '../../page-model/assets.ts';
import type { ColumnsByStatus, VisibleColumn } from './columns.ts';
import { MoveForm } from './move.view.tsx';

interface BoardStatus extends StatusDisplay {
  limit: number | null;
  taskCount: number | null;
}

interface BoardProps {
  statuses: readonly BoardStatus[];
  columns: ColumnsByStatus;
  labels: LabelChoices | null;
  more: TaskStatus | undefined;
  move: number | undefined;
  isManual: boolean;
  hasMoreFound: boolean;
  list: string;
  /** The field values of tasks created with quick add. Null hides quick add. */
  newTask: Readonly<Record<string, string | number>> | null;
}

export function Board({ statuses, columns, hasMoreFound, list, isManual, move, ...rest }: BoardProps) {
  const { base, rejected } = useVisit();
  return (
    <>
      {rejected?.action.endsWith('/move') ? <Alert message={rejected.message ?? undefined} /> : null}
      {hasMoreFound ? (
        <p class="hint">
          Not all matching cards are shown. <a href={`${base}/tasks?${list}`}>View all as a list</a>
        </p>
      ) : null}
      <div class="board" data-manual={isManual} data-sorting={assets.sorting}>
        {taskStatuses.map((value) => {
          const status = statuses.find((each) => each.value === value);
          const column = columns.get(value);
          return status && column ? <Column status={status} column={column} list={list} {...rest} /> : null;
        })}
      </div>
      <CompleteTasksForm />
      <PickerData />
      <MoveForm statuses={statuses} columns={columns} move={move} isManual={isManual} />
    </>
  );
}

interface ColumnProps extends Pick<BoardProps, 'more' | 'list' | 'newTask' | 'labels'> {
  status: BoardStatus;
  column: VisibleColumn;
}

function Column({ status, column: { data, total, isCounted }, more, list, newTask, labels }: ColumnProps) {
  const { base, address } = useVisit();
  const id = `column-${status.value}`;
  const rest = total - data.length;
  const all = isCounted ? formatNumber(total) : formatNumberUpTo(total, data.length);
  // `move` must be the last parameter, because each card appends its id.
  const move = setQueryParameter(setQueryParameter(address, 'move', null), 'move', '');
  return (
    <section class="column" id={id} data-status={status.value} aria-labelledby={`${id}-name`}>
      <h2 id={`${id}-name`}>
        <StatusRing value={status.value} />
        {status.label}
        <span class="number">{all}</span>
        <ColumnLimit status={status} />
      </h2>
      {newTask ? <ColumnQuickAdd status={status} newTask={newTask} /> : null}
      <ul class="cards" id={`${id}-cards`} aria-label={status.label}>
        {data.map((task) => (
          <CardItem task={task} labels={labels} isDone={status.value === 'completed'} move={move} />
        ))}
        {rest > 0 ? (
          <li class="more">
            {more === status.value ? (
              <a href={setQueryParameter(`${base}/tasks?${list}`, 'status', status.value)}>
                View all {all} as a list
              </a>
            ) : (
              <a href={setQueryParameter(address, 'more', status.value)}>
                {isCounted ? formatNumber(rest) : 'Show'} more
              </a>
            )}
          </li>
        ) : null}
      </ul>
    </section>
  );
}

/** The limit applies to all tasks with the status, including those that the filter hides. */
function ColumnLimit({ status: { limit, taskCount } }: { status: BoardStatus }) {
  if (limit === null) return null;
  const isOver = taskCount !== null && taskCount > limit;
  const text = isOver ? `Over the limit of ${limit}` : `Limit ${limit}`;
  return (
    <span class={isOver ? 'limit over' : 'limit'} title={text}>
      <span aria-hidden="true">/{limit}</span>
      <span class="off-screen">{text}</span>
    </span>
  );
}

interface CardItemProps extends Pick<BoardProps, 'labels'> {
  task: Card;
  isDone: boolean;
  move: string;
}

const TAGS_ON_CARD_MAX = 3;

function CardItem({ task, labels, isDone, move }: CardItemProps) {
  const { base } = useVisit();
  return (
    <li>
      <CompleteButton task={task} />
      <a id={`task-${task.id}`} href={`${base}/tasks/${task.id}`}>
        {task.name}
      </a>
      {task.project === null ? null : (
        <div class="card-meta">
          <span class="clip">{task.project}</span>
        </div>
      )}
      {task.parent === null ? null : (
        <div class="card-meta">
          <ParentTaskMark name={task.parent} />
        </div>
      )}
      {task.tags.length > 0 ? (
        <div class="card-meta">
          <PickerLink task={task} name="tags">
            <TagList tags={task.tags} labels={labels} max={TAGS_ON_CARD_MAX} />
          </PickerLink>
        </div>
      ) : null}
      <div class="card-meta">
        {task.priority === 'medium' ? null : (
          <PickerLink task={task} name="priority">
            <PriorityIcon priority={task.priority} />
          </PickerLink>
        )}
        {task.deadline ? (
          <PickerLink task={task} name="deadline">
            <Deadline date={task.deadline} time={task.dueTime} isDone={isDone} />
          </PickerLink>
        ) : null}
        <BlockedBadge task={task} />
        {task.subtasks.total > 0 ? <SubtaskProgress of={task.subtasks} /> : null}
        {task.checklist.total > 0 ? <ChecklistProgress of={task.checklist} /> : null}
        {task.isRecurring ? <RepeatIcon /> : null}
        <CardCount icon="message-square" number={task.commentCount} noun="comment" />
        <CardCount icon="paperclip" number={task.fileCount} noun="file" upTo={FILES_COUNTED_MAX} />
        <span class="end">
          <a class="move" href={move + task.id} aria-label="Move to…" title="Move to…">
            ⋯
          </a>
          {task.deadline ? null : <PickerLink task={task} name="deadline" />}
          <PickerLink task={task} name="assignee">
            {task.assignees.length > 0 ? <Avatars people={task.assignees} /> : null}
          </PickerLink>
        </span>
      </div>
    </li>
  );
}

interface CardCountProps {
  icon: IconName;
  number: number;
  noun: string;
  /** A count above this number is only a lower bound. */
  upTo?: number;
}

function CardCount({ icon, number, noun, upTo = number }: CardCountProps) {
  if (number === 0) return null;
  const text = number > upTo ? `${upTo}+` : String(number);
  const nouns = number === 1 ? noun : `${noun}s`;
  return (
    <span class="card-count" title={`${text} ${nouns}`}>
      <Icon name={icon} />
      {text}
      <span class="off-screen"> {nouns}</span>
    </span>
  );
}

interface ColumnQuickAddProps {
  status: StatusDisplay;
  newTask: Readonly<Record<string, string | number>>;
}

function ColumnQuickAdd({ status, newTask }: ColumnQuickAddProps) {
  const { base } = useVisit();
  const of = { ...newTask, status: status.value };
  return (
    <Form action={`${base}/tasks`} class="quick-add" label={`Add to ${status.label}`} of={of}>
      <Field
        id={`add-${status.value}`}
        name="name"
        label={`Add a task to ${status.label}`}
        isLabelHidden
        maxlength={QUICK_ADD_CHARACTERS_MAX}
        autocomplete="off"
        placeholder="Add a task…"
        module={assets.addInPlace}
      />
      <button type="submit">Add</button>
      <div class="understood" aria-live="polite" data-kept />
    </Form>
  );
}
