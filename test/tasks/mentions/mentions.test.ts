import { beforeAll, describe, expect, it } from 'vitest';
import { listTaskFeed } from '../../../src/tasks/feed/feed.ts';
import { listMentionable, namePeople } from '../../../src/tasks/mentions/mentionable.ts';
import { findMentionedIds, replaceMentions, splitAtMentions } from '../../../src/tasks/mentions/mentions.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { addPerson, createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

let world: World;
let taskId: number;

beforeAll(async () => {
  world = await createWorld();
});

/** Creates a task that the client can't see. The owner follows it as its creator. */
async function createFreshTask() {
  taskId = (await createTask(world.people.owner, world.projects.other.id, { name: 'Plan' })).id;
}
const toMention = ({ userId }: Person) => `@[${userId}]`;
const addComment = async (person: Person, content: string): Promise<number> =>
  (await api(person.token).post(`/tasks/${taskId}/comments`, { content })).body.id;
const editComment = (person: Person, comment: number, content: string) =>
  api(person.token).patch(`/tasks/${taskId}/comments/${comment}`, { content });
async function listNotificationTypes(person: Person): Promise<string[]> {
  const { body } = await api(person.token).get('/notifications?limit=100');
  const rows = body.data.filter((each: { task: { id: number } | null }) => each.task?.id === taskId);
  return rows.map(({ type }: { type: string }) => type).reverse();
}

const countUnread = async (person: Person): Promise<number> =>
  (await api(person.token).get('/notifications?unreadOnly=true&limit=100')).body.data.length;

describe('the mention parser', () => {
  it('finds each mentioned person once, and ignores similar text', () => {
    const text = 'Hi @[usr_a] and @[usr_b-_9], @[usr_a] @usr_c @[ws_d] [usr_e] @[usr_] @[usr_f';
    expect(findMentionedIds([text])).toEqual(['usr_a', 'usr_b-_9']);
    expect(splitAtMentions('@[usr_a]!').concat(splitAtMentions(''))).toEqual([{ id: 'usr_a' }, '!']);
    expect(replaceMentions('@[usr_a] @[usr_b]', new Map([['usr_a', '$& <b>']]))).toBe('@$& <b> @[usr_b]');
  });
});

describe('a comment that mentions people', () => {
  it('is returned verbatim, and sends one notification to each mentioned person who can see the task, except its author', async () => {
    await createFreshTask();
    const { owner, lead, member, client } = world.people;
    const content = `${toMention(owner)} ${toMention(lead)} ${toMention(lead)} ${toMention(member)} ${toMention(client)} @[usr_nobody] ping`;
    const id = await addComment(member, content);
    const { body } = await api(owner.token).get(`/tasks/${taskId}/comments`);
    expect(body.data.map((each: { content: string }) => each.content)).toEqual([content]);
    expect(await listNotificationTypes(lead)).toEqual(['mentioned']);
    expect(await listNotificationTypes(owner)).toEqual(['mentioned']);
    expect(await listNotificationTypes(member)).toEqual([]);
    expect(await listNotificationTypes(client)).toEqual([]);
    const [first] = (await api(lead.token).get('/notifications')).body.data;
    expect(first).toMatchObject({
      type: 'mentioned',
      comment: { id, content },
      actor: { id: member.userId },
    });
    expect((await api(lead.token).get('/notifications/count')).body).toEqual({
      count: await countUnread(lead),
    });
  });

  it('still notifies other followers about the comment', async () => {
    await createFreshTask();
    const { owner, lead, member } = world.people;
    await addComment(lead, 'I follow now');
    await addComment(member, `${toMention(lead)}, have a look`);
    expect(await listNotificationTypes(lead)).toEqual(['mentioned']);
    expect(await listNotificationTypes(owner)).toEqual(['comment_added', 'comment_added']);
  });

  it('notifies a client who is assigned to the task, but no one in another workspace', async () => {
    await createFreshTask();
    const { owner, client } = world.people;
    const stranger = (await createWorld()).people.member;
    await api(owner.token).patch(`/tasks/${taskId}`, { assigneeId: client.userId });
    await addComment(owner, `${toMention(client)} ${toMention(stranger)}`);
    expect(await listNotificationTypes(client)).toEqual(['task_assigned', 'mentioned']);
    expect((await api(stranger.token).get('/notifications')).body.meta.total).toBe(0);
  });

  it('notifies only newly mentioned people when it is edited', async () => {
    await createFreshTask();
    const { owner, lead, member } = world.people;
    const id = await addComment(member, `${toMention(lead)} please`);
    await editComment(member, id, `${toMention(lead)} and ${toMention(owner)}, please`);
    await editComment(member, id, `${toMention(owner)} and ${toMention(lead)}, please!`);
    expect(await listNotificationTypes(lead)).toEqual(['mentioned']);
    expect(await listNotificationTypes(owner)).toEqual(['comment_added', 'mentioned']);
    expect((await api(lead.token).get('/notifications/count')).body).toEqual({
      count: await countUnread(lead),
    });
  });
});

describe('the list of people that a comment can mention', () => {
  const findPeople = async (person: Person, search: string) =>
    (await runForm(person.token, listMentionable, { id: taskId, search })).body.people?.map(
      ({ id }: { id: string }) => id,
    );

  it('contains people who can see the task, searchable by part of a name or the start of an email address', async () => {
    await createFreshTask();
    const { owner, lead, client } = world.people;
    const everyone = await findPeople(owner, '');
    expect(everyone).toHaveLength(4);
    expect(everyone).not.toContain(client.userId);
    expect(await findPeople(owner, lead.name.toUpperCase())).toEqual([lead.userId]);
    expect(await findPeople(owner, lead.email.slice(0, 12))).toEqual([lead.userId]);
    const inner = await addPerson(world, 'anna olsen', 'member');
    const first = await addPerson(world, 'Östen Olsen', 'member');
    expect(await findPeople(owner, 'olsen')).toEqual([inner.userId, first.userId]);
    expect(await findPeople(owner, 'östen')).toEqual([first.userId]);
    expect(await findPeople(owner, '%')).toEqual([]);
  });

  it("returns 404 if the caller can't see the task", async () => {
    await createFreshTask();
    const stranger = (await createWorld()).people.owner;
    for (const person of [world.people.client, stranger]) {
      const answer = await runForm(person.token, listMentionable, { id: taskId });
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
    }
    const ids = [world.people.owner.userId, 'usr_nobody'];
    expect((await runForm(stranger.token, namePeople, { ids })).body).toEqual({ people: [] });
  });
});

describe('a page with mentions', () => {
  it('shows the current name of a person, even a former member, and leaves unknown ids unchanged', async () => {
    await createFreshTask();
    const { owner, admin } = world.people;
    const leaver = await addPerson(world, 'leaver', 'member');
    await addComment(admin, `${toMention(leaver)}, ask ${toMention(owner)} or @[usr_nobody] <b>`);
    const rename = 'UPDATE members SET name = ?, ended_at = ?, is_settled = 1 WHERE no = ?';
    await getCell(0).prepare(rename).bind('Lea <i>Ver</i>', 1, leaver.member).run();
    const screens = await WorkspaceBrowser.signIn(world, owner);
    const { html } = await screens.open(`/tasks/${taskId}`);
    expect(html).toContain(`data-person="${leaver.userId}">@<bdi>Lea &lt;i&gt;Ver&lt;/i&gt;</bdi>`);
    expect(html).toContain(`class="mention me" data-person="${owner.userId}"`);
    expect(html).toContain('@[usr_nobody] &lt;b&gt;');
    const again = await screens.open(`/tasks/${taskId}`);
    expect(again.headers.get('X-Cost')).toMatch(/^trips=1 /);
    const inbox = await screens.open('/inbox');
    expect(inbox.html).toContain('mentioned you in');
    expect(inbox.html).toContain('@Lea &lt;i&gt;Ver&lt;/i&gt;, ask @');
  });

  it('takes one database round trip, however many mentions it contains', async () => {
    await createFreshTask();
    const { owner, admin, lead } = world.people;
    const mention = toMention(lead);
    const shown = `<bdi>${lead.name}</bdi>`;
    const texts = [
      `"\\${mention}"`,
      `line\n${mention}${mention}`,
      `@[usr_ @[usr_] ${mention}`,
      `${'…'.repeat(300)}${mention}`,
    ];
    for (const text of texts) await addComment(admin, text);
    const screens = await WorkspaceBrowser.signIn(world, owner);
    await screens.open('');
    for (const path of [`/tasks/${taskId}`, `/tasks/${taskId}?activity=comments`, '/dashboard']) {
      const { html, headers } = await screens.open(path);
      expect([path, html.split(shown).length > texts.length]).toEqual([path, true]);
      expect(headers.get('X-Cost')).toMatch(/^trips=1 /);
    }
    const inbox = await screens.open('/inbox');
    expect(inbox.html).toContain(`@${lead.name}`);
    expect(inbox.headers.get('X-Cost')).toMatch(/^trips=1 /);
  });

  it("shows people's names in long comments", async () => {
    await createFreshTask();
    const { owner, admin, lead } = world.people;
    await addComment(admin, `${'…'.repeat(19_900)}${toMention(lead)}`);
    const screens = await WorkspaceBrowser.signIn(world, owner);
    const { html } = await screens.open(`/tasks/${taskId}`);
    expect(html).toContain(`data-person="${lead.userId}">@<bdi>${lead.name}</bdi>`);
  });

  it('shows the names of former assignees in the history', async () => {
    await createFreshTask();
    const { owner } = world.people;
    const leaver = await addPerson(world, 'former assignee', 'member');
    for (const assigneeId of [leaver.userId, owner.userId])
      await api(owner.token).patch(`/tasks/${taskId}`, { assigneeId });
    const leave = 'UPDATE members SET ended_at = 1, is_settled = 1 WHERE no = ?';
    await getCell(0).prepare(leave).bind(leaver.member).run();
    const screens = await WorkspaceBrowser.signIn(world, owner);
    await screens.open('');
    const { html, headers } = await screens.open(`/tasks/${taskId}`);
    expect(html).toContain('(was Former assignee Test)');
    expect(headers.get('X-Cost')).toMatch(/^trips=1 /);
  });

  it("shows no names from tasks that the caller can't see", async () => {
    await createFreshTask();
    const { owner, lead, client } = world.people;
    await addComment(owner, toMention(lead));
    const readFeed = async (person: Person) =>
      (await runForm(person.token, listTaskFeed, { id: taskId, limit: 20 })).body;
    expect((await readFeed(owner)).references.people).toEqual([{ id: lead.userId, name: lead.name }]);
    for (const stranger of [client, (await createWorld()).people.owner])
      expect((await readFeed(stranger)).error.code).toBe('not_found');
  });
});

describe('the page that lists mentionable people', () => {
  it('works without JavaScript, and shows what to type to mention a person', async () => {
    await createFreshTask();
    const { owner, lead } = world.people;
    const screens = await WorkspaceBrowser.signIn(world, owner);
    const { html } = await screens.open(`/tasks/${taskId}/mentionable?q=${lead.name}`);
    expect(html).toContain(`<code>@[${lead.userId}]</code>`);
  });
});
