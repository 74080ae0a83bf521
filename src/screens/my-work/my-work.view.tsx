import { weekOf } from '../../kernel/civil.ts';
import { Blank } from '../../web/components/blank.tsx';
import { useVisit } from '../../web/components/context.ts';
import { Field, Select } from '../../web/components/field.tsx';
import { Form } from '../../web/components/form.tsx';
import { count, Due } from '../../web/components/time.tsx';
import { Dot } from '../../web/components/work.tsx';
import type { ViewProps } from '../../web/page-model/page.ts';
import type { myWorkParams, myWorkReads } from './my-work.tsx';

type Props = ViewProps<typeof myWorkParams, typeof myWorkReads, Record<never, never>>;
type Task = Props['answers']['todo']['data'][number];

export function MyWorkView({ visit, answers }: Props) {
  const { base, today, caller } = visit;
  const pages = [answers.inProgress, answers.internalReview, answers.clientReview, answers.todo];
  const tasks = pages.flatMap(({ data }) => data).toSorted(byDeadline);
  const hidden = pages.reduce((sum, { meta, data }) => sum + meta.total - data.length, 0);
  const sunday = weekOf(today).to;
  const groups = Map.groupBy(tasks, ({ deadline }) => when(deadline, today, sunday));
  return (
    <>
      <header class="head">
        <h1>My work</h1>
      </header>
      <QuickAdd projects={answers.projects.data} />
      {tasks.length === 0 ? (
        <Blank icon="list-checks">
          <p>Nothing waits for you. Tasks that are yours come here, the most urgent first.</p>
          <a class="button plain" href={`${base}/projects`}>
            Look at the projects
          </a>
        </Blank>
      ) : null}
      {headings.map(([key, heading]) => {
        const items = groups.get(key) ?? [];
        return items.length === 0 ? null : (
          <section class={`group ${key}`} aria-labelledby={key}>
            <h2 id={key}>
              {heading} <span class="number">{items.length}</span>
            </h2>
            <ul class="rows panel">
              {items.map((task) => (
                <Row task={task} />
              ))}
            </ul>
          </section>
        );
      })}
      {hidden > 0 ? (
        <p>
          <a href={`${base}/tasks?assignee=${encodeURIComponent(caller.userId)}`}>
            {count(hidden, 'more task')}
          </a>
        </p>
      ) : null}
    </>
  );
}

const headings = [
  ['overdue', 'Overdue'],
  ['today', 'Today'],
  ['week', 'This week'],
  ['later', 'Later'],
  ['undated', 'No deadline'],
] as const;

function when(deadline: string | null, today: string, sunday: string): (typeof headings)[number][0] {
  if (deadline === null) return 'undated';
  if (deadline < today) return 'overdue';
  if (deadline === today) return 'today';
  return deadline <= sunday ? 'week' : 'later';
}

function byDeadline(one: Task, other: Task): number {
  const [first, second] = [one.deadline ?? '9999', other.deadline ?? '9999'];
  return first === second ? one.id - other.id : first < second ? -1 : 1;
}

function Row({ task }: { task: Task }) {
  const { base } = useVisit();
  return (
    <li id={`task-${task.id}`}>
      <span class="status" title={task.status.label}>
        <Dot color={task.status.color} />
        <span class="off-screen">{task.status.label}</span>
      </span>
      <a class="row-name" href={`${base}/tasks/${task.id}`}>
        {task.title}
      </a>
      <span class="row-fact wide-only">{task.project.name}</span>
      <span class="row-date">{task.deadline ? <Due date={task.deadline} /> : null}</span>
    </li>
  );
}

function QuickAdd({ projects }: { projects: readonly { id: number; name: string }[] }) {
  const { base, caller } = useVisit();
  if (projects.length === 0) return null;
  return (
    <Form action={`${base}/tasks`} class="add-row" label="Add a task" of={{ assigneeId: caller.userId }}>
      <Field
        name="name"
        label="What is to be done?"
        isLabelHidden
        maxlength={500}
        autocomplete="off"
        placeholder="Add a task of your own…"
      />
      <Select
        name="projectId"
        label="Project"
        isLabelHidden
        options={projects.map(({ id, name }) => [String(id), name])}
      />
      <Field name="deadline" label="Deadline" isLabelHidden type="date" isOptional />
      <button type="submit">Add</button>
    </Form>
  );
}
