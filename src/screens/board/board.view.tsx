import { wholeNumber } from '../../kernel/number-format.ts';
import { taskStatuses } from '../../task-model/tasks.schema.ts';
import { type Card, FILES_COUNTED } from '../../tasks/cards.schema.ts';
import { useVisit } from '../../web/components/context.ts';
import { Alert, Field } from '../../web/components/field.tsx';
import { Form } from '../../web/components/form.tsx';
import { Icon } from '../../web/components/icon.tsx';
import type { IconName } from '../../web/components/icon-names.ts';
import { Avatar } from '../../web/components/people.tsx';
import { ProjectTabs } from '../../web/components/project-tabs.tsx';
import { Due } from '../../web/components/time.tsx';
import { withQuery } from '../../web/components/with-query.ts';
import { Dot, Priority, type StatusShown } from '../../web/components/work.tsx';
import { type BoardParams, type BoardProps, columnsOf, isByHand, type ShownColumn } from './columns.ts';
import { BoardFilters } from './filters.view.tsx';
import { MoveForm } from './move.view.tsx';

export function BoardView({ visit, params, answers }: BoardProps) {
  const { project, members, statuses } = answers;
  const { base, refused } = visit;
  const columns = columnsOf(answers);
  return (
    <div data-project={project.id}>
      <header class="head">
        <h1>
          <bdi>{project.name}</bdi>
        </h1>
        <ProjectTabs project={project.id} here="Board" />
      </header>
      <BoardFilters params={params} members={members.data} />
      {refused?.action.endsWith('/move') ? <Alert message={refused.message ?? undefined} /> : null}
      {columns.size === 0 ? (
        <Alert message="The person in this filter is not in this workspace. Choose another, or clear the filters." />
      ) : null}
      {answers.found?.meta.hasMore ? (
        <p class="hint">
          More cards fit than are shown here.{' '}
          <a href={`${base}/tasks?project=${project.id}&q=${encodeURIComponent(params.q ?? '')}`}>
            See all of them as a list
          </a>
        </p>
      ) : null}
      <div class="board" data-by-hand={isByHand(params)}>
        {taskStatuses.map((value) => {
          const status = statuses.data.find((each) => each.value === value);
          const column = columns.get(value);
          return status && column ? <Column status={status} column={column} params={params} /> : null;
        })}
      </div>
      <MoveForm statuses={statuses.data} params={params} columns={columns} />
    </div>
  );
}

interface ColumnProps {
  status: StatusShown;
  column: ShownColumn;
  params: BoardParams;
}

function Column({ status, column: { data, total }, params }: ColumnProps) {
  const { base, address } = useVisit();
  const id = `column-${status.value}`;
  const rest = total - data.length;
  // The name comes last, for each card to put its id behind it.
  const move = withQuery(withQuery(address, 'move', null), 'move', '');
  return (
    <section class="column" id={id} data-status={status.value} aria-labelledby={`${id}-name`}>
      <h2 id={`${id}-name`}>
        <Dot color={status.color} />
        {status.label}
        <span class="number">{wholeNumber(total)}</span>
      </h2>
      <ul class="cards" id={`${id}-cards`} aria-label={status.label}>
        {data.map((task) => (
          <CardItem task={task} isDone={status.value === 'completed'} move={move} />
        ))}
        {rest > 0 ? (
          <li class="more">
            {params.more === status.value ? (
              <a href={`${base}/tasks?project=${params.project}&status=${status.value}`}>
                All {wholeNumber(total)} as a list
              </a>
            ) : (
              <a href={withQuery(address, 'more', status.value)}>{wholeNumber(rest)} more</a>
            )}
          </li>
        ) : null}
      </ul>
      <QuickAdd status={status} project={params.project} />
    </section>
  );
}

/** @param move the address of the choice of a column, up to the id. */
function CardItem({ task, isDone, move }: { task: Card; isDone: boolean; move: string }) {
  const { base } = useVisit();
  return (
    <li>
      <a id={`task-${task.id}`} href={`${base}/tasks/${task.id}`}>
        {task.name}
      </a>
      <div class="card-facts">
        <Priority priority={task.priority} />
        {task.deadline ? <Due date={task.deadline} isDone={isDone} /> : null}
        <Count icon="message-square" number={task.commentCount} noun="comment" />
        <Count icon="paperclip" number={task.fileCount} noun="file" upTo={FILES_COUNTED} />
        <span class="end">
          <a class="move" href={move + task.id} aria-label="Move to…" title="Move to…">
            ⋯
          </a>
          {task.assignee ? <Avatar person={task.assignee} /> : null}
        </span>
      </div>
    </li>
  );
}

interface CountProps {
  icon: IconName;
  number: number;
  noun: string;
  /** A greater number is not known exactly. */
  upTo?: number;
}

function Count({ icon, number, noun, upTo = number }: CountProps) {
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

function QuickAdd({ status, project }: { status: StatusShown; project: number }) {
  const { base } = useVisit();
  const of = { projectId: project, status: status.value };
  return (
    <Form action={`${base}/tasks`} class="quick-add" label={`Add to ${status.label}`} of={of}>
      <Field
        id={`add-${status.value}`}
        name="name"
        label={`Add a task to ${status.label}`}
        isLabelHidden
        maxlength={500}
        autocomplete="off"
        placeholder="Add a task…"
      />
      <button type="submit">Add</button>
    </Form>
  );
}
