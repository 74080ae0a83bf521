import { connectApp } from '../../app-activity/connect-app.ts';
import { insertExport } from '../../exports/prepare-export.ts';
import { confirmUpload, presignAndUpload } from '../../files/attachments/presigning.ts';
import { callTool } from '../../mcp/client.ts';
import { createForm, createLink } from '../../sharing/share.ts';
import { api } from '../../support/api.ts';
import { addFieldsToProject, createField } from '../../support/custom-fields.ts';
import { createMeeting, createProject, createTask, type World } from '../../support/world.ts';
import { createTemplate } from '../../templates/create-template.ts';
import { sendAsOwner } from '../stale-writes/race.ts';

/** The objects of every pair or triple of changes. */
export interface RacedObjects {
  world: World;
  task: number;
  /** A recurring meeting whose occurrence has its own task. */
  meeting: number;
  meetingTask: number;
  /** Two comments by the owner on the task. */
  comments: [toEdit: number, toDelete: number];
  subtask: number;
  /** Another task in the same project, without subtasks. */
  parent: number;
  /** Only the objects that the changes need. */
  more: Readonly<Partial<Record<MoreName, number | string>>>;
}

type Base = Omit<RacedObjects, 'more'>;
type CreateObject = (
  base: Base,
  created: Readonly<Record<string, number | string>>,
) => Promise<number | string>;

const getOwner = ({ world }: Base) => api(world.people.owner.token);

async function expectSuccess<T extends { status: number; body: unknown }>(answer: Promise<T>): Promise<T> {
  const found = await answer;
  if (found.status >= 300) throw new Error(`returned ${found.status}: ${JSON.stringify(found.body)}`);
  return found;
}

let hours = 0;
/** A person's time entries can't overlap. */
export function takeHour() {
  hours += 1;
  const toTime = (hour: number) => new Date(Date.UTC(2020, 0, 1, hour)).toISOString();
  return { startTime: toTime(hours), endTime: toTime(hours + 1) };
}

const stageAsApp = async ({ task }: Base, token: string) =>
  callTool(token, 'update_task', {
    updates: [{ id: task, name: 'Proposed by an app', status: 'completed' }],
  });

async function findNotification({ people }: World, task: number): Promise<number> {
  const { body } = await api(people.lead.token).get('/notifications?limit=100');
  return body.data.find((each: { task: { id: number } | null }) => each.task?.id === task).id;
}

/** Creates objects that belong to the task or to a project. Later ones can use earlier ones. */
const creators = {
  checklistItem: async (base) =>
    (await expectSuccess(getOwner(base).post(`/tasks/${base.task}/checklist/items`, { text: 'First' }))).body
      .id,
  /** A subtask that was a checklist item. */
  convertedItem: async (base) => {
    const path = `/tasks/${base.task}/checklist/items`;
    const { body } = await expectSuccess(getOwner(base).post(path, { text: 'Converted' }));
    const { body: subtask } = await expectSuccess(getOwner(base).post(`${path}/${body.id}/convert`));
    return `${body.id} ${subtask.id}`;
  },
  relation: async (base) =>
    (
      await expectSuccess(
        getOwner(base).post(`/tasks/${base.subtask}/relations`, { type: 'blocks', taskId: base.parent }),
      )
    ).body.id,
  recurrence: async (base) => {
    const rule = { rule: 'FREQ=DAILY', mode: 'completion' };
    await expectSuccess(getOwner(base).put(`/tasks/${base.task}/recurrence`, rule));
    return base.task;
  },
  reaction: async ({ world, task, comments }) => {
    const path = `/tasks/${task}/comments/${comments[0]}/reactions/heart`;
    await expectSuccess(api(world.people.owner.token).put(path));
    return 'heart';
  },
  field: async ({ world }) => {
    const field = await createField(world, 'text', `Field ${crypto.randomUUID()}`);
    await addFieldsToProject(world, world.projects.joined.id, [field]);
    return field;
  },
  deletedField: async ({ world }) => {
    const field = await createField(world, 'text', `Deleted ${crypto.randomUUID()}`);
    await expectSuccess(sendAsOwner(world)('deleteCustomField', { id: field }));
    return field;
  },
  /** The lead's notification of being assigned the task. */
  notification: ({ world, task }) => findNotification(world, task),
  deletedNotification: async ({ world }) => {
    const { owner, lead } = world.people;
    const { id } = await createTask(owner, world.projects.joined.id, { assigneeId: lead.userId });
    const notification = await findNotification(world, id);
    await expectSuccess(api(lead.token).delete(`/notifications/${notification}`));
    return notification;
  },
  label: async (base) => {
    await expectSuccess(getOwner(base).patch(`/tasks/${base.task}`, { tags: ['raced'] }));
    return 'raced';
  },
  archivedSubtask: async (base) => {
    const { id } = await createTask(base.world.people.owner, base.world.projects.joined.id, {
      parentId: base.task,
    });
    await expectSuccess(getOwner(base).post(`/tasks/${id}/archive`));
    return id;
  },
  deletedSubtask: async (base) => {
    const { id } = await createTask(base.world.people.owner, base.world.projects.joined.id, {
      parentId: base.task,
    });
    await expectSuccess(getOwner(base).delete(`/tasks/${id}`));
    return id;
  },
  movedSubtask: async (base) => {
    const { joined, other } = base.world.projects;
    const { id } = await createTask(base.world.people.owner, joined.id, { parentId: base.task });
    await expectSuccess(getOwner(base).post(`/tasks/${id}/move`, { projectId: other.id }));
    return id;
  },
  /** The time of the owner's latest edit of the task. */
  editedTask: async (base) => {
    const since = Date.now();
    await expectSuccess(
      getOwner(base).patch(`/tasks/${base.task}`, { status: 'in_progress', priority: 'high' }),
    );
    return since;
  },
  /** An app that has completed the subtask. */
  app: async (base) => {
    const { app, token } = await connectApp(base.world, base.world.people.owner);
    await expectSuccess(api(token).patch(`/tasks/${base.subtask}`, { status: 'completed' }));
    return app;
  },
  changeSet: async (base) => {
    const { token } = await connectApp(base.world, base.world.people.owner);
    const { changeSet } = await callTool(token, 'begin_changes', { title: 'Complete it' });
    await stageAsApp(base, token);
    await callTool(token, 'propose_changes', { reason: 'It is done' });
    return changeSet as number;
  },
  upload: ({ world, task }) => presignAndUpload(world.people.owner, task),
  file: async ({ world, task }) => {
    const s3Key = await presignAndUpload(world.people.owner, task);
    return (await expectSuccess(confirmUpload(world.people.owner, task, { s3Key }))).body.id;
  },
  removedFile: async (base) => {
    const { owner } = base.world.people;
    const s3Key = await presignAndUpload(owner, base.task);
    const { body } = await expectSuccess(confirmUpload(owner, base.task, { s3Key }));
    await expectSuccess(sendAsOwner(base.world)('removeTaskFile', { id: base.task, attachmentId: body.id }));
    return body.id;
  },
  timeEntry: async (base) =>
    (await expectSuccess(getOwner(base).post('/timer/entries', { taskId: base.task, ...takeHour() }))).body
      .id,
  runningTimer: async (base) => {
    await expectSuccess(getOwner(base).post('/timer/start', { taskId: base.task }));
    return base.task;
  },
  template: ({ world }) => createTemplate(world.people.owner, world.projects.joined.id),
  project: async ({ world }) => {
    const { owner, lead, member } = world.people;
    const { id } = await createProject(world, { owner, members: [lead, member], name: 'Shared' });
    await createTask(owner, id, { assigneeId: member.userId, deadline: '2026-12-01' });
    return id;
  },
  projectTemplate: async ({ world }, { project }) => {
    const { body } = await expectSuccess(sendAsOwner(world)('saveProjectTemplate', { id: project }));
    return (body as { id: number }).id;
  },
  intakeForm: async ({ world }, { project }) =>
    (await createForm(world.people.owner, Number(project), { greeting: 'Before', tag: 'raced' })).address
      .split('/')
      .at(-1) as string,
  publicLink: async ({ world }, { project }) =>
    (await createLink(world.people.owner, { projectId: Number(project) })).id,
  export: ({ world }) => insertExport(world, world.people.owner, { status: 'completed' }),
  canceledMeeting: async (base) => {
    const { lead } = base.world.people;
    const { id } = await createMeeting(lead, base.world.projects.joined.id);
    await expectSuccess(api(lead.token).delete(`/meetings/${id}`));
    return id;
  },
} as const satisfies Record<string, CreateObject>;

export type MoreName = keyof typeof creators;

export async function createRacedObjects(world: World, names: ReadonlySet<MoreName>): Promise<RacedObjects> {
  const { owner, lead } = world.people;
  const task = await createTask(owner, world.projects.joined.id, {
    assigneeId: lead.userId,
    deadline: '2026-11-20',
    customEstimatedHours: '2.5',
  });
  const me = api(owner.token);
  const first = await me.post(`/tasks/${task.id}/comments`, { content: 'first' });
  const second = await me.post(`/tasks/${task.id}/comments`, { content: 'second' });
  const meeting = await createMeeting(lead, world.projects.joined.id);
  const [participant] = meeting.participants as { taskId: number }[];
  const base: Base = {
    world,
    task: task.id,
    meeting: meeting.id,
    meetingTask: participant?.taskId ?? 0,
    comments: [first.body.id, second.body.id],
    subtask: (await createTask(lead, world.projects.joined.id, { parentId: task.id })).id,
    parent: (await createTask(lead, world.projects.joined.id)).id,
  };
  const more: Record<string, number | string> = {};
  for (const [name, create] of Object.entries(creators) as [MoreName, CreateObject][]) {
    if (names.has(name)) more[name] = await create(base, more);
  }
  return { ...base, more };
}
