// The measure of all: no framework, no validation, no guard. It knows the statements of every request that it will get,
// sends them in the same batches, and makes the same answer of the rows.
import { describeDue } from '../src/dashboard/due-state.ts';
import { initials } from '../src/reference/initials.ts';
import { BORDER } from './border.mjs';

const STATUSES = ['todo', 'in_progress', 'internal_review', 'client_review', 'completed'];
const PRIORITIES = ['low', 'medium', 'high'];

const deadline = (due) => (due === '9999-99-99' ? null : due);
const timestamp = (ms) => new Date(ms).toISOString();
const person = (id, name, email) => (id === null ? null : { id, name, email });
const reference = (id, key, value) => (id === null ? null : { id, key, value });
const folded = ({ name, user_id: id }) => `${name.toLowerCase()}\0${id}`;
const byName = (one, other) => (folded(one) < folded(other) ? -1 : 1);
const only = (result) => Object.values(result.results[0])[0];

function task(row) {
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

function comment(row) {
  return {
    id: row.id,
    content: row.content,
    author: { id: row.author_id, name: row.author_name, email: row.author_email },
    createdAt: timestamp(row.created_at),
  };
}

function page([total, rows], { limit, offset }, show) {
  const data = rows.results.slice(0, limit).map(show);
  const matches = only(total);
  return { data, meta: { total: matches, limit, offset, hasMore: offset + data.length < matches } };
}

const shapes = {
  tasks: (results, { meta }) => page(results, meta, task),
  detail(results) {
    const [[row], followers, comments] = results.slice(-3).map((each) => each.results);
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
  comment: (results) => comment(results.at(-1).results[0]),
  stats: ([projects, tiles]) => ({ projects: only(projects), ...tiles.results[0] }),
  dashboardTasks: (results, { meta }) =>
    page(results, meta, (row) => {
      const status = STATUSES[row.status];
      const due = deadline(row.due);
      const { assignee_id: id, assignee_name: name, assignee_image: image } = row;
      return {
        id: row.id,
        title: row.name,
        project: { id: row.project_id, name: row.project_name },
        status: { value: status.replaceAll('_', '-'), label: row.status_label, color: row.status_color },
        tags: JSON.parse(row.tags),
        assignee: id === null ? null : { id, name, image, initials: initials(name) },
        category: reference(row.category_id, row.category_key, row.category_value),
        type: reference(row.type_id, row.type_key, row.type_value),
        deadline: due,
        ...describeDue(due, status === 'completed', BORDER),
      };
    }),
  dashboardComments: (results, { meta }) =>
    page(results, meta, (row) => ({
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
  workload([people, window, border], { frame, capacityHours, rows }) {
    const byPerson = ({ results }) => new Map(results.map((row) => [row.user_id, row]));
    const [windows, borders] = [byPerson(window), byPerson(border)];
    return {
      ...frame,
      workloads: people.results.toSorted(byName).map((found) => {
        const days = windows.get(found.user_id);
        const since = borders.get(found.user_id);
        const row = {
          ...found,
          overdue: found.past + (since?.due ?? 0),
          overdue_hours: found.past_hours + (since?.due_hours ?? 0),
          due: days?.due ?? 0,
          due_hours: days?.due_hours ?? 0,
          completed: days?.completed ?? 0,
          completed_hours: days?.completed_hours ?? 0,
        };
        const planned = row.due_hours / 100;
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
            estimatedHours: row[`${column}_hours`] / 100,
          })),
        };
      }),
    };
  },
  count: ([unread]) => ({ count: only(unread) }),
};

let prepared;

/** PLANS, as JSON: `{ sql: string[], requests: { [key]: { status, shape, constants, batches: [statement, params][][] } } }` */
function prepare({ PLANS, CELL_0 }) {
  const plans = JSON.parse(PLANS);
  const statements = plans.sql.map((sql) => CELL_0.prepare(sql));
  return new Map(
    Object.entries(plans.requests).map(([key, { batches, ...plan }]) => [
      key,
      { ...plan, batches: batches.map((batch) => batch.map(([no, params]) => [statements[no], params])) },
    ]),
  );
}

export default {
  async fetch(request, env) {
    prepared ??= prepare(env);
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? '' : JSON.stringify(await request.json());
    const plan = prepared.get(`${request.method} ${pathname}${search} ${body}`);
    if (!plan) return new Response('not recorded', { status: 404 });
    let results = [];
    for (const batch of plan.batches) {
      results = await env.CELL_0.batch(batch.map(([statement, params]) => statement.bind(...params)));
    }
    return Response.json(shapes[plan.shape](results, plan.constants), { status: plan.status });
  },
};
