// The measure of all: no framework, no validation, no guard. It knows the statements of every request that it will get,
// sends them in the same batches, and makes the same answer of the rows.
import { describeDue } from '../src/dashboard-tasks/due-state.ts';
import { initials } from '../src/reference/initials.ts';
import type {
  CommentRow,
  DashboardCommentRow,
  DashboardTaskRow,
  DayRow,
  DetailRow,
  FollowerRow,
  TaskRow,
  TilesRow,
  WorkloadRow,
} from './bare-rows.ts';
import { PAST_CUTOFF } from './cutoffs.ts';
import type { Constants, Plan, Plans } from './plan.ts';

type Results = readonly D1Result[];
type Shape = (results: Results, constants: Constants) => unknown;

const STATUSES = ['todo', 'in_progress', 'internal_review', 'client_review', 'completed'];
const PRIORITIES = ['low', 'medium', 'high'];

const deadline = (due: string) => (due === '9999-99-99' ? null : due);
const timestamp = (ms: number) => new Date(ms).toISOString();
const person = (id: string | null, name: string | null, email: string | null) =>
  id === null ? null : { id, name, email };
const reference = (id: number | null, key: string | null, value: string | null) =>
  id === null ? null : { id, key, value };
const folded = ({ name, user_id: id }: WorkloadRow) => `${name.toLowerCase()}\0${id}`;
const byName = (one: WorkloadRow, other: WorkloadRow) => (folded(one) < folded(other) ? -1 : 1);
const only = (result: D1Result | undefined) => Object.values(result?.results[0] ?? {})[0];

function task(row: TaskRow) {
  return {
    id: row.id,
    name: row.name,
    status: STATUSES[row.status],
    priority: PRIORITIES[row.priority],
    assignee: person(row.assignee_id, row.assignee_name, row.assignee_email),
    project: { id: row.project_id, name: row.project_name },
    tags: JSON.parse(row.tags),
    deadline: deadline(row.due),
    isArchived: row.archived === 1,
  };
}

function comment(row: CommentRow) {
  return {
    id: row.id,
    content: row.content,
    author: { id: row.author_id, name: row.author_name, email: row.author_email },
    createdAt: timestamp(row.created_at),
  };
}

function page<Row>([total, rows]: Results, { meta }: Constants, show: (row: Row) => unknown) {
  const { limit = 0, offset = 0 } = meta ?? {};
  const data = ((rows?.results ?? []) as Row[]).slice(0, limit).map(show);
  const matches = only(total);
  return { data, meta: { total: matches, limit, offset, hasMore: offset + data.length < matches } };
}

const shapes: Readonly<Record<string, Shape>> = {
  // Before them may stand what looks for the people of a filter.
  tasks: (results, constants) => page(results.slice(-2), constants, task),
  detail(results) {
    const [tasks, followers, comments] = results.slice(-3).map((each) => each.results) as [
      [DetailRow],
      FollowerRow[],
      CommentRow[],
    ];
    const [row] = tasks;
    return {
      ...task(row),
      description: row.description,
      startDate: row.start_date,
      scheduledTime: row.scheduled_time,
      category: reference(row.category_id, row.category_key, row.category_value),
      type: reference(row.type_id, row.type_key, row.type_value),
      customEstimatedHours: row.estimated_hours,
      createdBy: person(row.creator_id, row.creator_name, row.creator_email),
      followers: followers.map((each) => person(each.user_id, each.name, each.email)),
      comments: comments.reverse().map(comment),
      createdAt: timestamp(row.created_at),
      updatedAt: timestamp(row.updated_at),
    };
  },
  comment: (results) => comment(results.at(-1)?.results[0] as CommentRow),
  stats([tiles]) {
    const [row] = (tiles?.results ?? []) as TilesRow[];
    return {
      ...row,
      dueToday: row?.due_today,
      dueThisWeek: row?.due_this_week,
      due_today: undefined,
      due_this_week: undefined,
    };
  },
  dashboardTasks: (results, constants) =>
    page(results, constants, (row: DashboardTaskRow) => {
      const status = STATUSES[row.status];
      const due = deadline(row.due);
      const { assignee_id: id, assignee_name: name, assignee_image: image } = row;
      return {
        id: row.id,
        title: row.name,
        project: { id: row.project_id, name: row.project_name },
        status: { value: status?.replaceAll('_', '-'), label: row.status_label, color: row.status_color },
        tags: JSON.parse(row.tags),
        assignee: id === null ? null : { id, name, image, initials: initials(name ?? '') },
        category: reference(row.category_id, row.category_key, row.category_value),
        type: reference(row.type_id, row.type_key, row.type_value),
        deadline: due,
        ...describeDue(due, status === 'completed', PAST_CUTOFF),
      };
    }),
  dashboardComments: (results, constants) =>
    page(results, constants, (row: DashboardCommentRow) => ({
      id: row.id,
      content: row.content,
      author: {
        id: row.author_id,
        name: row.author_name,
        email: row.author_email,
        image: row.author_image,
        initials: initials(row.author_name),
      },
      task: { id: row.task_id, title: row.task_name },
      project: { id: row.project_id, name: row.project_name },
      createdAt: timestamp(row.created_at),
    })),
  workload([people, window, sinceCutoff], { frame, capacityHours = 0, rows = [] }) {
    const byPerson = (result: D1Result | undefined) =>
      new Map(((result?.results ?? []) as DayRow[]).map((row) => [row.user_id, row]));
    const [windows, sinceCutoffs] = [byPerson(window), byPerson(sinceCutoff)];
    return {
      ...frame,
      workloads: ((people?.results ?? []) as WorkloadRow[]).toSorted(byName).map((found) => {
        const days = windows.get(found.user_id);
        const since = sinceCutoffs.get(found.user_id);
        const row: WorkloadRow & Record<string, string | number | null> = {
          ...found,
          overdue: found.past + (since?.due ?? 0),
          overdue_hours: found.past_hours + (since?.due_hours ?? 0),
          due: days?.due ?? 0,
          due_hours: days?.due_hours ?? 0,
          completed: days?.completed ?? 0,
          completed_hours: days?.completed_hours ?? 0,
        };
        const planned = Number(row.due_hours) / 100;
        return {
          user: {
            id: row.user_id,
            name: row.name,
            email: row.email,
            image: row.image,
            initials: initials(row.name),
          },
          capacityHours,
          plannedHours: planned,
          utilization: Math.floor((planned / capacityHours) * 100 + 0.5),
          activeTasks: row.active,
          breakdown: rows.map(({ key, label, color, column }) => ({
            key,
            label,
            color,
            count: row[column],
            estimatedHours: Number(row[`${column}_hours`]) / 100,
          })),
        };
      }),
    };
  },
  count: ([unread]) => ({ count: only(unread) }),
};

interface Bindings {
  /** `Plans` as JSON. */
  readonly PLANS: string;
  readonly CELL_0: D1Database;
}

type Prepared = readonly (readonly [D1PreparedStatement, readonly unknown[]])[];

let prepared: Map<string, Plan & { prepared: readonly Prepared[] }> | undefined;

function prepare({ PLANS, CELL_0 }: Bindings): NonNullable<typeof prepared> {
  const plans: Plans = JSON.parse(PLANS);
  const statements = plans.sql.map((sql) => CELL_0.prepare(sql));
  return new Map(
    Object.entries(plans.requests).map(([key, plan]) => [
      key,
      {
        ...plan,
        prepared: plan.batches.map((batch) =>
          batch.map(([no, params]) => [statements[no] as D1PreparedStatement, params]),
        ),
      },
    ]),
  );
}

export default {
  async fetch(request: Request, env: Bindings) {
    prepared ??= prepare(env);
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? '' : JSON.stringify(await request.json());
    const plan = prepared.get(`${request.method} ${pathname}${search} ${body}`);
    if (!plan) return new Response('not recorded', { status: 404 });
    let results: Results = [];
    for (const batch of plan.prepared) {
      results = await env.CELL_0.batch(batch.map(([statement, params]) => statement.bind(...params)));
    }
    return Response.json(shapes[plan.shape]?.(results, plan.constants), { status: plan.status });
  },
};
