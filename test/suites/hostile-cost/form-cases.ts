// The input with which each form of the web app succeeds.
import { removeProjectFile, removeTaskFile } from '../../../src/files/attachments/remove.ts';
import type { AnyOperation } from '../../../src/kernel/operation/operation.ts';
import { notificationTypes } from '../../../src/notifications/inbox/notifications.schema.ts';
import type { AnyForm } from '../../../src/web/page-model/page.ts';
import { insertFile } from '../../files/attachments/insert-file.ts';
import { hidden } from '../../oauth/flow.ts';
import { api } from '../../support/api.ts';
import { cellOf } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { freshAddress } from '../../support/people.ts';
import { addPerson, createMeeting, createProject, createTask, type World } from '../../support/world.ts';
import { Screens } from '../../web/server/screens.ts';
import { makeThing, staleForms, type ThingName } from '../../web/server/stale-forms.ts';
import { insertWebhook } from '../../webhooks/operations/insert-webhook.ts';

/** The values of the path and of the fields, by name. */
type Said = Readonly<Record<string, string | number>>;
type Prepare = (world: World) => Promise<Said> | Said;

export interface SentForm {
  readonly screens: Screens;
  readonly action: string;
  readonly fields: Record<string, string>;
}

const WEEK_MS = 7 * 86_400_000;
let count = 0;
/** Returns an hour without time entries, a day without meetings, and an unused name. */
const fresh = () => {
  count += 1;
  const dayAfter = (year: number) =>
    new Date(Date.UTC(year, 0, 1) + count * WEEK_MS).toISOString().slice(0, 10);
  const day = dayAfter(2020);
  return {
    name: `New ${count}`,
    date: dayAfter(2030),
    startTime: `${day}T09:00`,
    endTime: `${day}T09:30`,
    zone: 'UTC',
  };
};
const taskId = async ({ people, projects }: World) => (await createTask(people.owner, projects.other.id)).id;

async function entryOf(world: World): Promise<number> {
  const { startTime, endTime } = fresh();
  const times = { startTime: `${startTime}:00.000Z`, endTime: `${endTime}:00.000Z` };
  const answer = await api(world.people.owner.token).post('/timer/entries', {
    taskId: await taskId(world),
    ...times,
  });
  return answer.body.id;
}

const meetingOf = async ({ people, projects }: World) =>
  (await createMeeting(people.owner, projects.other.id)).id;

async function fileOnTask(world: World) {
  const id = await taskId(world);
  return { id, attachmentId: await insertFile(world, world.people.owner, { task: id }) };
}

async function fileInProject(world: World) {
  const { id } = world.projects.other;
  return { id, attachmentId: await insertFile(world, world.people.owner, { project: id }) };
}

async function removedFile<I extends Said>(world: World, operation: AnyOperation, input: I): Promise<I> {
  await runForm(world.people.owner.token, operation, input);
  return input;
}

const webhookOf = async (world: World) => {
  await cellOf(world.cell).prepare('DELETE FROM webhooks WHERE ws = ?').bind(world.no).run();
  return { id: await insertWebhook(world, world.people.owner) };
};

/** Input for forms whose entry in the table of stale forms isn't enough to send them successfully. */
const cases: Readonly<Record<string, Prepare>> = {
  undo: async (world) => {
    const id = await taskId(world);
    const since = Date.now() - 1;
    await api(world.people.owner.token).patch('/tasks/bulk', { ids: [id], set: { priority: 'high' } });
    return { ids: id, since };
  },
  removeFile: fileOnTask,
  restoreFile: async (world) => removedFile(world, removeTaskFile, await fileOnTask(world)),
  removeProjectFile: fileInProject,
  restoreProjectFile: async (world) => removedFile(world, removeProjectFile, await fileInProject(world)),
  restoreMeeting: async (world) => {
    const id = await meetingOf(world);
    await api(world.people.owner.token).delete(`/meetings/${id}`);
    return { id };
  },
  restoreNotification: async (world) => {
    const { ids, end } = await makeThing('notification', world, world.people.owner);
    await end();
    return { id: ids.id ?? 0 };
  },
  planMeeting: ({ people, projects }) => ({
    projectId: projects.other.id,
    name: 'Talk',
    date: fresh().date,
    time: '10:00',
    minutes: 30,
    participantIds: people.owner.userId,
  }),
  moveMeeting: async (world) => ({ id: await meetingOf(world), date: fresh().date }),
  cancelMeeting: async (world) => ({ id: await meetingOf(world) }),
  logTime: async (world) => {
    const { startTime, endTime, zone } = fresh();
    return { taskId: await taskId(world), startTime, endTime, zone };
  },
  changeEntry: async (world) => {
    const { startTime, endTime, zone } = fresh();
    return { id: await entryOf(world), startTime, endTime, zone };
  },
  removeEntry: async (world) => ({ id: await entryOf(world) }),
  chooseMail: () => Object.fromEntries(notificationTypes.map((type) => [type, 'off'])),
  createProject: () => ({ name: fresh().name }),
  removeProject: async (world) => {
    const { id, name } = await createProject(world, { owner: world.people.owner });
    return { id, name };
  },
  invite: () => ({ email: freshAddress(), role: 'member' }),
  filterAgain: () => ({ name: fresh().name, q: 'x' }),
  newCategory: () => ({ value: fresh().name }),
  newFilter: () => ({ name: fresh().name, q: 'x', isShared: 'true' }),
  newType: ({ categories }) => ({ categoryId: categories[0].id, value: fresh().name }),
  newWebhook: async (world) => {
    await webhookOf(world);
    return { url: 'https://hooks.example.com/x' };
  },
  changeWebhook: async (world) => ({ ...(await webhookOf(world)), description: fresh().name }),
  removeWebhook: webhookOf,
  tryWebhook: webhookOf,
  sendAgain: async (world) => ({ ...(await webhookOf(world)), after: 0 }),
  newSecret: webhookOf,
};

/** For forms that need several things, the one whose ids fit together. */
const needed: Readonly<Record<string, ThingName>> = {
  addPeople: 'person',
  handOverProject: 'memberOfProject',
  removePersonFromProject: 'memberOfProject',
  takeFromTeam: 'memberOfTeam',
};

/** Forms after which the sender has another role or has left the workspace. */
const ofAnother = ['giveWorkspace', 'leaveWorkspace'];

/** Prepares the form with things that are newly created each time. */
export async function prepareForm(world: World, owner: Screens, { name, path }: AnyForm): Promise<SentForm> {
  const screens = ofAnother.includes(name)
    ? await Screens.of(world, await addPerson(world, 'boss', 'owner'))
    : owner;
  const { needs, fields = {}, edit } = staleForms[name] ?? { needs: [] };
  const own = await cases[name]?.(world);
  const need = own ? undefined : (needed[name] ?? needs[0]);
  const ids: Said = own ?? (need ? (await makeThing(need, world, world.people.owner)).ids : {});
  const fill = (text: string) => text.replaceAll(/:(\w+)/g, (all, each) => String(ids[each] ?? all));
  const said: Said = own ?? fields;
  const places = [...path.matchAll(/:(\w+)/g)].map(([, each]) => each as string);
  const isChanged = !own && Object.keys(fields).length === 0 && edit;
  const action = isChanged && !need ? (await edit.place(world, world.people.owner)).action : fill(path);
  const { csrf = '' } = hidden(await (await screens.browser.get('/sign-out')).text(), '/sign-out');
  return {
    screens,
    action,
    fields: {
      csrf,
      once: crypto.randomUUID(),
      back: `${screens.base}/search`,
      ...(isChanged && { [edit.field]: `${edit.mine} ${fresh().name}` }),
      ...Object.fromEntries(
        Object.entries(said)
          .filter(([each]) => !places.includes(each))
          .map(([each, value]) => [each, fill(String(value))]),
      ),
    },
  };
}
