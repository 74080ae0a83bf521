import type * as z from 'zod';
import { wholeNumber } from '../../kernel/number-format.ts';
import { type TaskStatus, taskStatuses } from '../../task-model/tasks.schema.ts';
import { type Card, type cardPage, FILES_COUNTED } from '../../tasks/cards.schema.ts';
import { useVisit } from '../../web/components/context.ts';
import { Alert, Field } from '../../web/components/field.tsx';
import { Form } from '../../web/components/form.tsx';
import { Icon } from '../../web/components/icon.tsx';
import type { IconName } from '../../web/components/icon-names.ts';
import { Avatar } from '../../web/components/people.tsx';
import { Due } from '../../web/components/time.tsx';
import { withQuery } from '../../web/components/with-query.ts';
import { Dot, Priority, type StatusShown } from '../../web/components/work.tsx';
import type { ViewProps } from '../../web/page-model/page.ts';
import type { boardParams, boardReads } from './board.tsx';
import { BoardFilters } from './filters.view.tsx';

type Props = ViewProps<typeof boardParams, typeof boardReads, Record<never, never>>;
type Params = Props['params'];

export function BoardView({ visit, params, answers }: Props) {
  const { project, members, statuses } = answers;
  const { base, refused } = visit;
  return (
    <div data-project={project.id}>
      <header class="head">
        <h1>
          <bdi>{project.name}</bdi>
        </h1>
        <nav class="tabs" aria-label="Views of the project">
          <a href={`${base}/projects/${project.id}`} aria-current="page">
            Board
          </a>
          <a href={`${base}/tasks?project=${project.id}`}>List</a>
          <a href={`${base}/projects/${project.id}/files`}>Files</a>
          <a href={`${base}/projects/${project.id}/settings`}>Settings</a>
        </nav>
      </header>
      <BoardFilters params={params} members={members.data} />
      {refused?.action.endsWith('/move') ? <Alert message={refused.message ?? undefined} /> : null}
      <div class="board" data-by-hand={isByHand(params)}>
        {taskStatuses.map((value) => {
          const status = statuses.data.find((each) => each.value === value);
          return status ? <Column status={status} page={answers[value]} params={params} /> : null;
        })}
      </div>
      <MoveForm statuses={statuses.data} params={params} columns={answers} />
    </div>
  );
}

/** What a text finds comes newest first, so there is no place to put a card into. */
function isByHand({ sort, q }: Params): boolean {
  return sort === undefined && !q;
}

interface ColumnProps {
  status: StatusShown;
  page: z.output<typeof cardPage>;
  params: Params;
}

function Column({ status, page: { data, meta }, params }: ColumnProps) {
  const { base, address } = useVisit();
  const id = `column-${status.value}`;
  const rest = meta.total - data.length;
  // The name comes last, for each card to put its id behind it.
  const move = withQuery(withQuery(address, 'move', null), 'move', '');
  return (
    <section class="column" id={id} data-status={status.value} aria-labelledby={`${id}-name`}>
      <h2 id={`${id}-name`}>
        <Dot color={status.color} />
        {status.label}
        <span class="number">{wholeNumber(meta.total)}</span>
      </h2>
      <ul class="cards" id={`${id}-cards`} aria-label={status.label}>
        {data.map((task) => (
          <CardItem task={task} isDone={status.value === 'completed'} move={move} />
        ))}
        {rest > 0 ? (
          <li class="more">
            {params.more === status.value ? (
              <a href={`${base}/tasks?project=${params.project}&status=${status.value}`}>
                All {wholeNumber(meta.total)} as a list
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

interface MoveProps {
  statuses: readonly StatusShown[];
  params: Params;
  columns: Readonly<Record<TaskStatus, z.output<typeof cardPage>>>;
}

/** The form of every move. The dialog shows it: opened by a script, or by the address where there is none. */
function MoveForm({ statuses, params, columns }: MoveProps) {
  const { base, address } = useVisit();
  const choices = (
    <div class="choices">
      {statuses.map(({ value, label, color }, index) => (
        <button type="submit" class="plain" name="status" value={value}>
          <Dot color={color} />
          {label}
          <kbd>{index + 1}</kbd>
        </button>
      ))}
    </div>
  );
  const here = withQuery(address, 'move', null);
  return (
    <>
      <Form action={`${base}/tasks/0/move`} id="move">
        {['status', 'above', 'below'].map((name) => (
          <input type="hidden" name={name} value="" />
        ))}
      </Form>
      <dialog id="choose" aria-labelledby="choose-name">
        <h2 id="choose-name">Move to…</h2>
        {choices}
        {isByHand(params) ? (
          <div class="choices">
            <button type="submit" class="plain" value="up">
              Up<kbd>Alt ↑</kbd>
            </button>
            <button type="submit" class="plain" value="down">
              Down<kbd>Alt ↓</kbd>
            </button>
          </div>
        ) : null}
        <form method="dialog">
          <button type="submit" class="quiet">
            Leave it where it is
          </button>
        </form>
      </dialog>
      {params.move === undefined ? null : (
        <dialog open class="without-script" aria-labelledby="move-name">
          <h2 id="move-name">Move task {params.move} to…</h2>
          <Form action={`${base}/tasks/${params.move}/move`} back={here}>
            {choices}
          </Form>
          {isByHand(params) ? <Steps id={params.move} columns={columns} /> : null}
          <a href={here}>Leave it where it is</a>
        </dialog>
      )}
    </>
  );
}

/** Up and down within a column, each by its neighbour there. The page stays, for the next step. */
function Steps({ id, columns }: Pick<MoveProps, 'columns'> & { id: number }) {
  const { base } = useVisit();
  const status = taskStatuses.find((each) => columns[each].data.some((card) => card.id === id));
  if (!status) return null;
  const { data } = columns[status];
  const at = data.findIndex((card) => card.id === id);
  const [over, under] = [data[at - 1], data[at + 1]];
  return (
    <Form action={`${base}/tasks/${id}/move`} of={{ status }}>
      <div class="choices">
        {over ? (
          <button type="submit" class="plain" name="above" value={over.id}>
            Up, above <bdi>{over.name}</bdi>
          </button>
        ) : null}
        {under ? (
          <button type="submit" class="plain" name="below" value={under.id}>
            Down, below <bdi>{under.name}</bdi>
          </button>
        ) : null}
      </div>
    </Form>
  );
}
