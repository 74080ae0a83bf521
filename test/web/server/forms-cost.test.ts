import { beforeAll, describe, expect, it } from 'vitest';
import { forms } from '../../../src/web/pages/screens.ts';
import { createFaultyD1 } from '../../suites/faults/faulty-d1.ts';
import { type FormSubmission, prepareForm } from '../../suites/hostile-cost/form-cases.ts';
import { readCost } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { createIpAddress } from '../../support/people.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from './workspace-browser.ts';

type Form = (typeof forms)[number];

const NOTIFICATIONS = 5;
/** Most forms read in one round trip, and write in another. */
const DEFAULT_TRIPS = 2;
/** One: the form reads nothing before it writes. Three or more: a read depends on the result of an earlier read. */
const otherTrips: Readonly<Record<string, number>> = {
  categorizeTask: 1,
  followTask: 1,
  renewFeed: 1,
  endFeed: 1,
  readAll: 1,
  createProject: 1,
  putIntoTeam: 1,
  newCategory: 1,
  newCustomField: 1,
  addTask: 3,
  restoreTasks: 3,
  undo: 3,
  undoAppSession: 3,
  addRelation: 3,
  undoMoves: 3,
  restoreDeletedTask: 3,
  restoreDeletedTasks: 3,
  changeEntry: 3,
  createImport: 3,
  changeImport: 3,
  saveTaskTemplate: 3,
  saveProjectTemplate: 3,
  tryWebhook: 3,
  sendAgain: 3,
  newSecret: 3,
  removeBot: 5,
};

/** Forms that also need the directory. docs/architecture.md describes these cases. */
const formsWithDirectory: Readonly<Record<string, { trips: number; why: string }>> = {
  chooseMail: { trips: 3, why: 'notification settings belong to the account' },
  choosePush: { trips: 3, why: 'notification settings belong to the account' },
  turnOnPush: { trips: 3, why: 'a browser session belongs to the account' },
  turnOffPush: { trips: 3, why: 'a browser session belongs to the account' },
  testPush: { trips: 3, why: 'a browser session belongs to the account' },
  invite: { trips: 4, why: 'mail is queued in the directory' },
  inviteAgain: { trips: 5, why: 'mail is queued in the directory' },
  newBotKey: { trips: 5, why: 'checks that the password has not changed since sign-in' },
  newWebhook: { trips: 5, why: 'checks that the password has not changed since sign-in' },
  changeWebhook: { trips: 3, why: 'checks that the password has not changed since sign-in' },
  takeOut: { trips: 6, why: 'ends a membership' },
  leaveWorkspace: { trips: 6, why: 'ends a membership' },
  removeWorkspace: { trips: 13, why: 'ends the membership of each person' },
};

let world: World;
let owner: WorkspaceBrowser;

beforeAll(async () => {
  world = await createWorld();
  const { people, projects } = world;
  owner = await WorkspaceBrowser.signIn(world, people.owner);
  // Fills the owner's inbox. The lead creates the tasks, because people aren't notified of their own changes.
  for (let count = 0; count < NOTIFICATIONS; count += 1)
    await createTask(people.lead, projects.joined.id, { assigneeId: people.owner.userId });
});

/** Prepares the form in a separate workspace, because submitting it deletes the workspace. */
async function prepareRemoval(form: Form): Promise<FormSubmission> {
  const doomed = await createWorld();
  const filled = await prepareForm(doomed, await WorkspaceBrowser.signIn(doomed, doomed.people.owner), form);
  const name = await getCell(doomed.cell)
    .prepare('SELECT name FROM workspaces WHERE no = ?')
    .bind(doomed.no)
    .first<string>('name');
  return { ...filled, fields: { ...filled.fields, name: String(name) } };
}

describe('a form with valid input', () => {
  it.each(forms.map((form) => [form.name, form] as const))(
    'takes the expected number of round trips, and uses only the cell unless listed above (%s)',
    async (name, form) => {
      const { screens, action, fields } =
        name === 'removeWorkspace' ? await prepareRemoval(form) : await prepareForm(world, owner, form);
      // The first page of a session also queries the directory.
      await screens.open('');
      const [DIRECTORY, CELL_0, CELL_1] = [env.DIRECTORY, getCell(0), getCell(1)].map((database) =>
        createFaultyD1(database, () => undefined),
      );
      const answer = await screens.browser.post(
        screens.base + action,
        fields,
        { 'CF-Connecting-IP': createIpAddress() },
        { DIRECTORY: DIRECTORY?.d1, CELL_0: CELL_0?.d1, CELL_1: CELL_1?.d1 } as Partial<Env>,
      );
      const html = await answer.text();
      expect(answer.status, html).toBe(form.secret ? 200 : 303);
      const listed = formsWithDirectory[name];
      const used = { directory: (DIRECTORY?.batches ?? 0) > 0, otherCell: CELL_1?.batches };
      expect({ trips: readCost(answer.headers).trips, ...used }).toEqual({
        trips: listed?.trips ?? otherTrips[name] ?? DEFAULT_TRIPS,
        directory: listed !== undefined,
        otherCell: 0,
      });
    },
  );

  it('exists for each name in the lists above', () => {
    const names: readonly string[] = forms.map(({ name }) => name);
    const listed = [...Object.keys(otherTrips), ...Object.keys(formsWithDirectory)];
    expect(listed.filter((name) => !names.includes(name))).toEqual([]);
  });
});
