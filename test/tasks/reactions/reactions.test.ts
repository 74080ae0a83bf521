// This file is long because its tests share the functions that add, remove and list reactions.
import { beforeEach, describe, expect, it } from 'vitest';
import { undoAppSession } from '../../../src/app-activity/undo-session.ts';
import { listTaskFeed } from '../../../src/tasks/feed/feed.ts';
import { removePerson } from '../../../src/workspaces/people/remove-person.ts';
import { connectApp } from '../../app-activity/connect-app.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { actBeforeBatch } from '../../support/act-before-batch.ts';
import { api, meteredEnv, readCost } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

let world: World;
let member: Person;
let lead: Person;
let task: number;
let comment: number;

beforeEach(async () => {
  world = await createWorld();
  ({ member, lead } = world.people);
  task = (await createTask(member, world.projects.joined.id)).id;
  comment = await addComment('Done');
});

const addComment = async (content: string): Promise<number> =>
  (await api(lead.token).post(`/tasks/${task}/comments`, { content })).body.id;
const buildPath = (reaction = 'heart', id = comment) => `/tasks/${task}/comments/${id}/reactions/${reaction}`;
const addReaction = (person: Person, reaction?: string) => api(person.token).put(buildPath(reaction));
const removeReaction = (person: Person, reaction?: string) => api(person.token).delete(buildPath(reaction));
const listReactions = async (query = 'expand=reactions', person = member) =>
  (await api(person.token).get(`/tasks/${task}/comments?${query}`)).body.data;
const listEvents = async (person = member) =>
  (await api(person.token).get('/events?after=0&types=reaction.*')).body.data;
const toPerson = ({ userId: id, name }: Person) => ({ id, name });
const countRows = () =>
  getCell(world.cell).prepare('SELECT count(*) AS n FROM reactions WHERE ws = ?').bind(world.no).first('n');

describe('a reaction to a comment', () => {
  it('can be added and removed, and each request returns all reactions to the comment in a fixed order', async () => {
    const mine = { reaction: 'heart', count: 1, isMine: true, people: [toPerson(member)] };
    const first = await addReaction(member);
    expect([first.status, first.body]).toEqual([200, { data: [mine] }]);
    await addReaction(lead);
    const second = await addReaction(lead, 'thumbs_up');
    expect(second.body.data).toEqual([
      { reaction: 'thumbs_up', count: 1, isMine: true, people: [toPerson(lead)] },
      { reaction: 'heart', count: 2, isMine: true, people: [toPerson(member), toPerson(lead)] },
    ]);
    const removed = await removeReaction(member);
    expect([removed.status, removed.body.data]).toEqual([
      200,
      [
        { reaction: 'thumbs_up', count: 1, isMine: false, people: [toPerson(lead)] },
        { reaction: 'heart', count: 1, isMine: false, people: [toPerson(lead)] },
      ],
    ]);
    await removeReaction(lead);
    expect((await removeReaction(lead, 'thumbs_up')).body).toEqual({ data: [] });
    expect(await countRows()).toBe(0);
  });

  it('has no effect and logs no event if it is added or removed again', async () => {
    await addReaction(member);
    const again = await addReaction(member);
    expect([again.status, again.body.data[0].count]).toEqual([200, 1]);
    expect(readCost(again.headers).rowsWritten).toBe(0);
    await removeReaction(member);
    const gone = await removeReaction(member);
    expect([gone.status, gone.body]).toEqual([200, { data: [] }]);
    expect(readCost(gone.headers).rowsWritten).toBe(0);
    expect(await listEvents()).toHaveLength(2);
  });

  it("is logged as an event, but doesn't change the task's history, notifications or version", async () => {
    const readReactions = async () => {
      const { body, headers } = await api(member.token).get(`/tasks/${task}`);
      const history = await api(member.token).get(`/tasks/${task}/activities`);
      const inbox = await api(lead.token).get('/notifications');
      return [headers.get('ETag'), body, history.body, inbox.body];
    };
    const before = await readReactions();
    await addReaction(member, 'celebrate');
    await removeReaction(member, 'celebrate');
    expect(await readReactions()).toEqual(before);
    const base = {
      actor: toPerson(member),
      project: { id: world.projects.joined.id },
      task: { id: task },
      comment: { id: comment },
    };
    expect(await listEvents()).toMatchObject([
      { ...base, type: 'reaction.added', changes: { reaction: { from: null, to: 'celebrate' } } },
      { ...base, type: 'reaction.removed', changes: { reaction: { from: 'celebrate', to: null } } },
    ]);
  });

  it('is rejected if its type is unknown, and the error lists the available types', async () => {
    const { status, body } = await addReaction(member, 'thumbs');
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('thumbs_up')]);
    expect(await countRows()).toBe(0);
  });

  it("is rejected with 404 for a missing comment, a comment on another task, or a task that the caller can't see", async () => {
    const other = await createTask(member, world.projects.joined.id);
    const hidden = await createTask(lead, world.projects.other.id);
    const requests = [
      [member, buildPath('heart', 999_999_999)],
      [member, `/tasks/${other.id}/comments/${comment}/reactions/heart`],
      [world.people.client, `/tasks/${hidden.id}/comments/${comment}/reactions/heart`],
    ] as const;
    for (const [person, address] of requests) {
      expect((await api(person.token).put(address)).status).toBe(404);
      expect((await api(person.token).delete(address)).status).toBe(404);
    }
    expect([await countRows(), await listEvents()]).toEqual([0, []]);
  });

  it('can be added by a client who can see the task', async () => {
    const { client } = world.people;
    expect((await addReaction(client)).body.data).toMatchObject([{ count: 1, isMine: true }]);
    expect(await listEvents(client)).toHaveLength(1);
  });

  it('is rejected on an archived task, which still shows its reactions', async () => {
    await addReaction(member);
    await api(member.token).post(`/tasks/${task}/archive`);
    expect([
      (await addReaction(lead)).status,
      (await addReaction(member)).status,
      (await removeReaction(member)).status,
    ]).toEqual([400, 400, 400]);
    expect((await listReactions())[0].reactions).toMatchObject([{ reaction: 'heart', count: 1 }]);
  });

  it('can be added by up to 500 people, of whom the first five are listed', async () => {
    const others = Array.from({ length: 499 }, (_, index) => -index - 1);
    const people = [lead.member, world.people.owner.member, ...others.slice(0, 497)];
    const insertReactions = (numbers: readonly number[]) =>
      getCell(world.cell)
        .prepare('INSERT OR REPLACE INTO reactions (comment, reaction, ws, people) VALUES (?, ?, ?, ?)')
        .bind(comment, 'heart', world.no, JSON.stringify(numbers))
        .run();
    await insertReactions(people);
    expect((await addReaction(member)).body.data).toMatchObject([{ count: 500, isMine: true }]);
    const full = await addReaction(world.people.admin);
    expect([full.status, full.body.error.message]).toEqual([
      400,
      `Comment ${comment} already has this reaction from 500 people, which is the limit. Choose another reaction.`,
    ]);
    const everyone = Object.values(world.people);
    await insertReactions(everyone.map((each) => each.member));
    const [{ count, people: listed }] = (await listReactions())[0].reactions;
    expect([count, listed]).toEqual([everyone.length, everyone.slice(0, 5).map(toPerson)]);
    await removeReaction(member);
    expect(await findInconsistencies([world.cell])).toEqual([]);
  });
});

describe('parallel reactions', () => {
  it('leave one row and one event if a person sends the same reaction several times', async () => {
    const answers = await Promise.all([addReaction(member), addReaction(member), addReaction(member)]);
    for (const { status, body } of answers) expect([status, body.data[0].count]).toEqual([200, 1]);
    expect([await countRows(), (await listEvents()).length]).toEqual([1, 1]);
  });

  it('are all kept if they are from different people', async () => {
    const people = Object.values(world.people);
    await Promise.all(people.map((person) => addReaction(person, 'eyes')));
    const [{ count }] = (await listReactions())[0].reactions;
    expect([count, (await listEvents()).length]).toEqual([people.length, people.length]);
  });

  it.each([
    ['the comment is deleted', () => api(lead.token).delete(`/tasks/${task}/comments/${comment}`), 404],
    ['the task is archived', () => api(lead.token).post(`/tasks/${task}/archive`), 400],
    ['the person adds the same reaction in another request', () => addReaction(member), 200],
  ])('are rejected or ignored if %s just before the write', async (_what, act, status) => {
    const db = actBeforeBatch(getCell(world.cell), 2, act);
    const bindings = { ...meteredEnv, [`CELL_${world.cell}`]: db };
    const answer = await api(member.token, bindings).put(buildPath());
    expect(answer.status).toBe(status);
    expect(await listEvents()).toHaveLength(status === 200 ? 1 : 0);
    expect(await findInconsistencies([world.cell])).toEqual([]);
  });
});

describe('the reactions in a comment list', () => {
  it('are included only if they are requested', async () => {
    const other = await addComment('Next');
    const plain = await listReactions('');
    await addReaction(member);
    expect(await listReactions('')).toEqual(plain);
    expect(await listReactions()).toEqual([
      {
        ...plain[0],
        reactions: [{ reaction: 'heart', count: 1, isMine: true, people: [toPerson(member)] }],
      },
      { ...plain[1], id: other, reactions: [] },
    ]);
    expect((await listReactions('expand=reactions', lead))[0].reactions[0].isMine).toBe(false);
    expect((await api(member.token).get(`/tasks/${task}/comments?expand=people`)).status).toBe(400);
  });

  it('still name people who have left the workspace', async () => {
    await addReaction(member);
    await runForm(world.people.owner.token, removePerson, { userId: member.userId, heirId: null });
    expect((await listReactions('expand=reactions', lead))[0].reactions[0].people).toEqual([
      toPerson(member),
    ]);
  });

  it('read a limited number of additional rows, however many people reacted', async () => {
    const readReactions = async () => {
      const { headers } = await api(member.token).get(`/tasks/${task}/comments?expand=reactions`);
      return readCost(headers);
    };
    const people = JSON.stringify(Object.values(world.people).map((each) => each.member));
    const before = await readReactions();
    await getCell(world.cell)
      .prepare(
        `INSERT INTO reactions (comment, reaction, ws, people)
        SELECT ?1, value, ?2, ?3 FROM json_each('["thumbs_up","thumbs_down","heart","laugh","celebrate","eyes"]')`,
      )
      .bind(comment, world.no, people)
      .run();
    const after = await readReactions();
    expect(after.trips).toBe(before.trips);
    expect(after.rowsRead - before.rowsRead).toBeLessThanOrEqual(6 + 6 * 5);
  });

  it('appear on a task page with 20 comments, which reads at most 1,000 rows', async () => {
    for (let index = 1; index < 20; index += 1) await addComment(`Comment ${index}`);
    const people = JSON.stringify(Object.values(world.people).map((each) => each.member));
    await getCell(world.cell)
      .prepare(
        `INSERT INTO reactions (comment, reaction, ws, people)
        SELECT c.id, j.value, c.ws, ?2 FROM comments c
        CROSS JOIN json_each('["thumbs_up","thumbs_down","heart","laugh","celebrate","eyes"]') j WHERE c.task = ?1`,
      )
      .bind(task, people)
      .run();
    const screens = await WorkspaceBrowser.signIn(world, member);
    await screens.open(`/tasks/${task}`);
    const { html, headers } = await screens.open(`/tasks/${task}`);
    expect(html.match(/class="reaction"/g)).toHaveLength(6 * 20);
    expect(readCost(headers)).toMatchObject({ trips: 1 });
    expect(readCost(headers).rowsRead).toBeLessThanOrEqual(1_000);
    const { body: long } = await runForm(member.token, listTaskFeed, { id: task, limit: 100 });
    expect(long.items.at(-1).comment.reactions[0].people).toHaveLength(1);
  });
});

describe('reactions', () => {
  it('are deleted with their comment, and a restored comment has none', async () => {
    await addReaction(member);
    const app = await connectApp(world, lead);
    await api(app.token).delete(`/tasks/${task}/comments/${comment}`);
    expect(await countRows()).toBe(0);
    await runForm(lead.token, undoAppSession, { app: app.app });
    expect(await listReactions()).toMatchObject([{ id: comment, reactions: [] }]);
  });

  it('are kept when their task is restored from the trash or moved to another project', async () => {
    await addReaction(member);
    await api(lead.token).delete(`/tasks/${task}`);
    expect((await addReaction(member)).status).toBe(404);
    await api(lead.token).post(`/tasks/${task}/restore`);
    await api(world.people.owner.token).post(`/tasks/${task}/move`, { projectId: world.projects.other.id });
    expect((await listReactions())[0].reactions).toMatchObject([{ reaction: 'heart', count: 1 }]);
    expect(await findInconsistencies([world.cell])).toEqual([]);
  });

  it("that an app added are kept when the app's changes are undone, and are counted as impossible to undo", async () => {
    const app = await connectApp(world, member);
    await api(app.token).put(buildPath());
    const { body } = await runForm(member.token, undoAppSession, { app: app.app });
    expect(body).toMatchObject({ undone: 0, impossible: 1 });
    expect(await countRows()).toBe(1);
  });
});
