import { getReach } from '../../../kernel/access/capabilities.ts';
import { getWeekRange } from '../../../kernel/dates/civil-date.ts';
import { formatCount } from '../../../kernel/text/number-format.ts';
import { CompleteButton, CompleteTasksForm } from '../../components/complete-button.tsx';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { NewTaskLink } from '../../components/new-task-link.tsx';
import { PickerData, PickerLink } from '../../components/picker-data.tsx';
import { PriorityIcon } from '../../components/status-and-priority.tsx';
import { TagList } from '../../components/tags.tsx';
import { Deadline } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { QuickAddForm } from '../quick-add/quick-add.view.tsx';
import { FirstSteps } from './first-steps.view.tsx';
import type { myWorkParams, myWorkReads } from './my-work.tsx';

type Props = ViewProps<typeof myWorkParams, typeof myWorkReads, Record<never, never>>;
type Task = Props['answers']['tasks']['data'][number];
type Statuses = Props['answers']['statuses']['data'];

const TAGS_IN_ROW_MAX = 2;

/** People who can set up the workspace see the first steps until they have more tasks than this. */
const TASKS_WITH_FIRST_STEPS_MAX = 3;

export function MyWorkView({ visit, params: { project }, answers }: Props) {
  const { base, today } = visit;
  const { data: tasks, meta } = answers.tasks;
  const hidden = meta.total - tasks.length;
  const sunday = getWeekRange(today).to;
  const isNew =
    tasks.length <= TASKS_WITH_FIRST_STEPS_MAX && getReach(visit.caller, 'changeWorkspace') !== 'none';
  const groups = Map.groupBy(tasks, ({ deadline }) => getDueGroup(deadline, today, sunday));
  return (
    <>
      <header class="head">
        <h1>My work</h1>
        <NewTaskLink known={{ assignee: 'me', project }} />
      </header>
      <QuickAddForm projects={answers.projects} project={project} isFocused={project !== undefined} />
      {tasks.length === 0 ? (
        <EmptyState icon="list-checks">
          <p>No tasks yet. Tasks assigned to you appear here, most urgent first.</p>
          <a class="button plain" href={`${base}/projects`}>
            View projects
          </a>
        </EmptyState>
      ) : null}
      <CompleteTasksForm />
      <PickerData />
      {dueGroups.map(([key, heading]) => {
        const items = groups.get(key) ?? [];
        return items.length === 0 ? null : (
          <section class={`group ${key}`} aria-labelledby={key}>
            <h2 id={key}>
              {heading} <span class="number">{items.length}</span>
            </h2>
            <ul class="rows panel">
              {items.map((task) => (
                <TaskRow task={task} statuses={answers.statuses.data} />
              ))}
            </ul>
          </section>
        );
      })}
      {tasks.length === 0 || isNew ? <FirstSteps taken={answers.steps} /> : null}
      {hidden > 0 ? (
        <p>
          <a href={`${base}/tasks?assignee=me&status=open&sort=due`}>{formatCount(hidden, 'more task')}</a>
        </p>
      ) : null}
    </>
  );
}

const dueGroups = [
  ['overdue', 'Overdue'],
  ['today', 'Today'],
  ['week', 'This week'],
  ['later', 'Later'],
  ['undated', 'No deadline'],
] as const;

function getDueGroup(deadline: string | null, today: string, sunday: string): (typeof dueGroups)[number][0] {
  if (deadline === null) return 'undated';
  if (deadline < today) return 'overdue';
  if (deadline === today) return 'today';
  return deadline <= sunday ? 'week' : 'later';
}

function TaskRow({ task, statuses }: { task: Task; statuses: Statuses }) {
  const { base } = useVisit();
  const status = statuses.find(({ value }) => value === task.status);
  return (
    <li id={`task-${task.id}`}>
      <CompleteButton task={task} nameId={`name-${task.id}`} status={status} />
      <a id={`name-${task.id}`} class="row-name" href={`${base}/tasks/${task.id}`}>
        {task.name}
      </a>
      <span class="wide-only">
        <PickerLink task={task} name="tags">
          {task.tags.length > 0 ? <TagList tags={task.tags} labels={null} max={TAGS_IN_ROW_MAX} /> : null}
        </PickerLink>
      </span>
      <PickerLink task={task} name="priority">
        {task.priority === 'medium' ? null : <PriorityIcon priority={task.priority} />}
      </PickerLink>
      <span class="row-meta row-project wide-only">{task.project.name}</span>
      <span class="row-date">
        <PickerLink task={task} name="deadline">
          {task.deadline ? <Deadline date={task.deadline} /> : null}
        </PickerLink>
      </span>
    </li>
  );
}
