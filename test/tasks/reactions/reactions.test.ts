// This file is long because it covers every rule about reactions.
import { beforeEach, describe, expect, it } from 'vitest';
import { undoAppSession } from '../../../src/app-activity/undo-session.ts';
import { listTaskFeed } from '../../../src/tasks/feed/feed.ts';
import { removePerson } from '../../../src/workspaces/people/remove-person.ts';
import { connectApp } from '../../app-activity/own-app.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api, meteredEnv, readCost } from '../../support/api.ts';
import { actBeforeBatch } from '../../support/before-batch.ts';
import { cellOf } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { Screens } from '../../web/server/screens.ts';

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
const path = (reaction = 'heart', id = comment) => `/tasks/${task}/comments/${id}/reactions/${reaction}`;
const add = (person: Person, reaction?: string) => api(person.token).put(path(reaction));
const remove = (person: Person, reaction?: string) => api(person.token).delete(path(reaction));
const list = async (query = 'expand=reactions', person = member) =>
  (await api(person.token).get(`/tasks/${task}/comments?${query}`)).body.data;
const listEvents = async (person = member) =>
  (await api(person.token).get('/events?after=0&types=reaction.*')).body.data;
const toPerson = ({ userId: id, name }: Person) => ({ id, name });
const countRows = () =>
  cellOf(world.cell).prepare('SELECT count(*) AS n FROM reactions WHERE ws = ?').bind(world.no).first('n');

describe('a reaction to a comment', () => {
  it('is added and removed, and both return all reactions to the comment in a fixed order', async () => {
    const mine = { reaction: 'heart', count: 1, isMine: true, people: [toPerson(member)] };
    const first = await add(member);
    expect([first.status, first.body]).toEqual([200, { data: [mine] }]);
    await add(lead);
    const second = await add(lead, 'thumbs_up');
    expect(second.body.data).toEqual([
      { reaction: 'thumbs_up', count: 1, isMine: true, people: [toPerson(lead)] },
      { reaction: 'heart', count: 2, isMine: true, people: [toPerson(member), toPerson(lead)] },
    ]);
    const removed = await remove(member);
    expect([removed.status, removed.body.data]).toEqual([
      200,
      [
        { reaction: 'thumbs_up', count: 1, isMine: false, people: [toPerson(lead)] },
        { reaction: 'heart', count: 1, isMine: false, people: [toPerson(lead)] },
      ],
    ]);
    await remove(lead);
    expect((await remove(lead, 'thumbs_up')).body).toEqual({ data: [] });
    expect(await countRows()).toBe(0);
  });

  it('changes nothing and logs nothing if it is repeated', async () => {
    await add(member);
    const again = await add(member);
    expect([again.status, again.body.data[0].count]).toEqual([200, 1]);
    expect(readCost(again.headers).rowsWritten).toBe(0);
    await remove(member);
    const gone = await remove(member);
    expect([gone.status, gone.body]).toEqual([200, { data: [] }]);
    expect(readCost(gone.headers).rowsWritten).toBe(0);
    expect(await listEvents()).toHaveLength(2);
  });

  it('logs an event about the comment, and no history entry, notification or version', async () => {
    const read = async () => {
      const { body, headers } = await api(member.token).get(`/tasks/${task}`);
      const history = await api(member.token).get(`/tasks/${task}/activities`);
      const inbox = await api(lead.token).get('/notifications');
      return [headers.get('ETag'), body, history.body, inbox.body];
    };
    const before = await read();
    await add(member, 'celebrate');
    await remove(member, 'celebrate');
    expect(await read()).toEqual(before);
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

  it('is rejected if it is unknown, and reports the six that exist', async () => {
    const { status, body } = await add(member, 'thumbs');
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('thumbs_up')]);
    expect(await countRows()).toBe(0);
  });

  it('is rejected for missing comments, comments of other tasks, and tasks that the caller cannot see', async () => {
    const other = await createTask(member, world.projects.joined.id);
    const hidden = await createTask(lead, world.projects.other.id);
    const requests = [
      [member, path('heart', 999_999_999)],
      [member, `/tasks/${other.id}/comments/${comment}/reactions/heart`],
      [world.people.client, `/tasks/${hidden.id}/comments/${comment}/reactions/heart`],
    ] as const;
    for (const [person, address] of requests) {
      expect((await api(person.token).put(address)).status).toBe(404);
      expect((await api(person.token).delete(address)).status).toBe(404);
    }
    expect([await countRows(), await listEvents()]).toEqual([0, []]);
  });

  it('can be added by a client who sees the task', async () => {
    const { client } = world.people;
    expect((await add(client)).body.data).toMatchObject([{ count: 1, isMine: true }]);
    expect(await listEvents(client)).toHaveLength(1);
  });

  it('is rejected on an archived task, which still shows its reactions', async () => {
    await add(member);
    await api(member.token).post(`/tasks/${task}/archive`);
    expect([(await add(lead)).status, (await add(member)).status, (await remove(member)).status]).toEqual([
      400, 400, 400,
    ]);
    expect((await list())[0].reactions).toMatchObject([{ reaction: 'heart', count: 1 }]);
  });

  it('is limited to 500 people, and five of them are listed', async () => {
    const others = Array.from({ length: 499 }, (_, index) => -index - 1);
    const people = [lead.member, world.people.owner.member, ...others.slice(0, 497)];
    const fill = (numbers: readonly number[]) =>
      cellOf(world.cell)
        .prepare('INSERT OR REPLACE INTO reactions (comment, reaction, ws, people) VALUES (?, ?, ?, ?)')
        .bind(comment, 'heart', world.no, JSON.stringify(numbers))
        .run();
    await fill(people);
    expect((await add(member)).body.data).toMatchObject([{ count: 500, isMine: true }]);
    const full = await add(world.people.admin);
    expect([full.status, full.body.error.message]).toEqual([
      400,
      `Up to 500 people can add the same reaction; comment ${comment} has 500. Add another reaction.`,
    ]);
    const everyone = Object.values(world.people);
    await fill(everyone.map((each) => each.member));
    const [{ count, people: listed }] = (await list())[0].reactions;
    expect([count, listed]).toEqual([everyone.length, everyone.slice(0, 5).map(toPerson)]);
    await remove(member);
    expect(await findInconsistencies([world.cell])).toEqual([]);
  });
});

describe('parallel reactions', () => {
  it('leave one row and one event if a person sends the same reaction twice', async () => {
    const answers = await Promise.all([add(member), add(member), add(member)]);
    for (const { status, body } of answers) expect([status, body.data[0].count]).toEqual([200, 1]);
    expect([await countRows(), (await listEvents()).length]).toEqual([1, 1]);
  });

  it('keep every person', async () => {
    const people = Object.values(world.people);
    await Promise.all(people.map((person) => add(person, 'eyes')));
    const [{ count }] = (await list())[0].reactions;
    expect([count, (await listEvents()).length]).toEqual([people.length, people.length]);
  });

  it.each([
    ['the comment is deleted', () => api(lead.token).delete(`/tasks/${task}/comments/${comment}`), 404],
    ['the task is archived', () => api(lead.token).post(`/tasks/${task}/archive`), 400],
    ['the person adds it elsewhere', () => add(member), 200],
  ])('write nothing outdated if %s in the meantime', async (_what, act, status) => {
    const db = actBeforeBatch(cellOf(world.cell), 2, act);
    const bindings = { ...meteredEnv, [`CELL_${world.cell}`]: db };
    const answer = await api(member.token, bindings).put(path());
    expect(answer.status).toBe(status);
    expect(await listEvents()).toHaveLength(status === 200 ? 1 : 0);
    expect(await findInconsistencies([world.cell])).toEqual([]);
  });
});

describe('a list of comments', () => {
  it('contains the reactions to each comment only if they are requested', async () => {
    const other = await addComment('Next');
    const plain = await list('');
    await add(member);
    expect(await list('')).toEqual(plain);
    expect(await list()).toEqual([
      {
        ...plain[0],
        reactions: [{ reaction: 'heart', count: 1, isMine: true, people: [toPerson(member)] }],
      },
      { ...plain[1], id: other, reactions: [] },
    ]);
    expect((await list('expand=reactions', lead))[0].reactions[0].isMine).toBe(false);
    expect((await api(member.token).get(`/tasks/${task}/comments?expand=people`)).status).toBe(400);
  });

  it('still names people who have left the workspace', async () => {
    await add(member);
    await runForm(world.people.owner.token, removePerson, { userId: member.userId, heirId: null });
    expect((await list('expand=reactions', lead))[0].reactions[0].people).toEqual([toPerson(member)]);
  });

  it('reads a limited number of rows, however many people reacted', async () => {
    const read = async () => {
      const { headers } = await api(member.token).get(`/tasks/${task}/comments?expand=reactions`);
      return readCost(headers);
    };
    const people = JSON.stringify(Object.values(world.people).map((each) => each.member));
    const before = await read();
    await cellOf(world.cell)
      .prepare(
        `INSERT INTO reactions (comment, reaction, ws, people)
        SELECT ?1, value, ?2, ?3 FROM json_each('["thumbs_up","thumbs_down","heart","laugh","celebrate","eyes"]')`,
      )
      .bind(comment, world.no, people)
      .run();
    const after = await read();
    expect(after.trips).toBe(before.trips);
    expect(after.rowsRead - before.rowsRead).toBeLessThanOrEqual(6 + 6 * 5);
  });

  it('limits the rows that a full page of the feed reads to 1,000', async () => {
    for (let index = 1; index < 20; index += 1) await addComment(`Comment ${index}`);
    const people = JSON.stringify(Object.values(world.people).map((each) => each.member));
    await cellOf(world.cell)
      .prepare(
        `INSERT INTO reactions (comment, reaction, ws, people)
        SELECT c.id, j.value, c.ws, ?2 FROM comments c
        CROSS JOIN json_each('["thumbs_up","thumbs_down","heart","laugh","celebrate","eyes"]') j WHERE c.task = ?1`,
      )
      .bind(task, people)
      .run();
    const screens = await Screens.of(world, member);
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
    await add(member);
    const app = await connectApp(world, lead);
    await api(app.token).delete(`/tasks/${task}/comments/${comment}`);
    expect(await countRows()).toBe(0);
    await runForm(lead.token, undoAppSession, { app: app.app });
    expect(await list()).toMatchObject([{ id: comment, reactions: [] }]);
  });

  it('are kept while a task is in the trash or moves to another project', async () => {
    await add(member);
    await api(lead.token).delete(`/tasks/${task}`);
    expect((await add(member)).status).toBe(404);
    await api(lead.token).post(`/tasks/${task}/restore`);
    await api(world.people.owner.token).post(`/tasks/${task}/move`, { projectId: world.projects.other.id });
    expect((await list())[0].reactions).toMatchObject([{ reaction: 'heart', count: 1 }]);
    expect(await findInconsistencies([world.cell])).toEqual([]);
  });

  it("of an app are listed among the app's changes, and undo leaves them", async () => {
    const app = await connectApp(world, member);
    await api(app.token).put(path());
    const { body } = await runForm(member.token, undoAppSession, { app: app.app });
    expect(body).toMatchObject({ undone: 0, impossible: 1 });
    expect(await countRows()).toBe(1);
  });
});
