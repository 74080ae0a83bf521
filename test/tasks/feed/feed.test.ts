import { beforeEach, describe, expect, it } from 'vitest';
import { type FeedItem, listTaskFeed } from '../../../src/tasks/feed/feed.ts';
import { api } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

let world: World;
let owner: Person;
let taskId: number;

beforeEach(async () => {
  world = await createWorld();
  owner = world.people.owner;
  taskId = (await createTask(owner, world.projects.other.id, { name: 'Plan' })).id;
});

const addComment = async (person: Person, content: string): Promise<number> =>
  (await api(person.token).post(`/tasks/${taskId}/comments`, { content })).body.id;
const changePriority = (person: Person, body: { priority: string }) =>
  api(person.token).patch(`/tasks/${taskId}`, body);
const readFeedItems = async (input: object = {}, person = owner) =>
  (await runForm(person.token, listTaskFeed, { id: taskId, limit: 100, ...input })).body;

const describeItem = ({ comment, entry }: FeedItem) => comment?.content ?? entry?.type;
const readFeed = (html: string) =>
  [...html.matchAll(/<strong>[^<]*<\/strong> ([^<·(]*)|<div class="rich text">([^<]*)/g)].map(
    ([, entry, comment]) => (comment ?? entry ?? '').trim(),
  );

describe("a task's feed", () => {
  it('lists comments and history entries in the order in which they happened', async () => {
    await addComment(owner, 'First');
    await changePriority(world.people.lead, { priority: 'high' });
    await addComment(world.people.lead, 'Second');
    const { items, total, hasMore } = await readFeedItems();
    expect(items.map(describeItem)).toEqual(['created', 'First', 'priority_changed', 'Second']);
    expect([total, hasMore]).toEqual([4, false]);
    expect(items[3].comment.author.id).toBe(world.people.lead.userId);
    expect(items[3].entry.commentId).toBe(items[3].comment.id);
    const comments = await readFeedItems({ show: 'comments' });
    expect(comments.items.map(describeItem)).toEqual(['First', 'Second']);
    expect(comments.items.map(({ entry }: FeedItem) => entry)).toEqual([null, null]);
    expect([comments.total, comments.hasMore]).toEqual([2, false]);
  });

  it('shows a deleted comment as two entries without its text', async () => {
    const comment = await addComment(owner, 'Secret');
    await api(owner.token).delete(`/tasks/${taskId}/comments/${comment}`);
    const { items } = await readFeedItems();
    expect(items.map(describeItem)).toEqual(['created', 'comment_added', 'comment_removed']);
    expect((await readFeedItems({ show: 'comments' })).items).toEqual([]);
  });

  it('is paginated without gaps or repeats', async () => {
    for (const text of ['a', 'b', 'c', 'd', 'e']) await addComment(owner, text);
    for (const show of ['all', 'comments']) {
      const all = (await readFeedItems({ show })).items.map(describeItem);
      const found: unknown[] = [];
      for (let before: number | undefined, hasMore = true; hasMore; ) {
        const page = await readFeedItems({ show, limit: 2, before });
        found.unshift(...page.items.map(describeItem));
        ({ hasMore } = page);
        before = page.items[0].key;
        expect(page.total).toBe(all.length);
      }
      expect(found).toEqual(all);
    }
  });

  it('contains long comments in full', async () => {
    const long = '…'.repeat(19_000);
    await addComment(owner, long);
    for (const show of ['all', 'comments'])
      expect((await readFeedItems({ show })).items.at(-1).comment.content).toBe(long);
  });

  it("returns 404 if the caller can't see the task", async () => {
    const stranger = (await createWorld()).people.owner;
    for (const person of [world.people.client, stranger])
      for (const show of ['all', 'comments'])
        expect((await readFeedItems({ show }, person)).error.code).toBe('not_found');
  });
});

describe('the task page', () => {
  it('groups consecutive changes by one person between comments, and shows the newest entry last', async () => {
    await addComment(owner, 'First');
    for (const priority of ['high', 'low', 'medium']) await changePriority(world.people.lead, { priority });
    await addComment(owner, 'Second');
    await changePriority(owner, { priority: 'high' });
    const screens = await WorkspaceBrowser.signIn(world, owner);
    const { html } = await screens.open(`/tasks/${taskId}`);
    expect(readFeed(html)).toEqual([
      'created the task',
      'First',
      'made 3 changes',
      ...Array.from({ length: 3 }, () => 'set the priority to'),
      'Second',
      'set the priority to',
    ]);
    expect(html).toContain('Activity <span class="number">7</span>');
    const comments = await screens.open(`/tasks/${taskId}?activity=comments`);
    expect(readFeed(comments.html)).toEqual(['First', 'Second']);
    expect(comments.html).toContain('Comments <span class="number">2</span>');
  });

  it('never groups the newest change with earlier changes', async () => {
    for (const priority of ['high', 'low', 'high', 'low']) await changePriority(owner, { priority });
    const screens = await WorkspaceBrowser.signIn(world, owner);
    const { html } = await screens.open(`/tasks/${taskId}`);
    expect(readFeed(html)).toContain('made 3 changes');
    expect(html).toMatch(/<\/details><\/li><li class="change">(?:(?!<li).)*set the priority to/);
  });

  it('loads earlier items until all are shown, with one database round trip per page', async () => {
    for (let index = 0; index < 109; index += 1) await addComment(owner, `Comment ${index}`);
    const screens = await WorkspaceBrowser.signIn(world, owner);
    await screens.open('');
    const seen: string[] = [];
    const offers: string[] = [];
    const rows: number[] = [];
    for (let path: string | undefined = `/tasks/${taskId}`; path; ) {
      const { html, headers, status } = await screens.open(path);
      const [, trips, rowsRead] = /trips=(\d+) .*rows_read=(\d+)/.exec(headers.get('X-Cost') ?? '') ?? [];
      expect([status, trips]).toEqual([200, '1']);
      rows.push(Number(rowsRead));
      const [, next, offer] = /<a href="([^"]*)#activity">(Show [^<]*earlier)</.exec(html) ?? [];
      if (offer) offers.push(offer);
      if (path.includes('before=')) expect(html).toContain('Back to the latest');
      seen.push(...readFeed(html));
      path = next?.replaceAll('&amp;', '&').slice(screens.base.length);
    }
    expect(offers).toEqual(['Show 40 earlier', 'Show 40 earlier', 'Show earlier']);
    expect(new Set(seen).size).toBe(110);
    expect(rows).toEqual([235, 515, 795, 152]);
  });

  it('returns 404 if its feed parameters are invalid or out of range', async () => {
    const screens = await WorkspaceBrowser.signIn(world, owner);
    for (const query of ['shown=0', 'shown=101', 'before=x', 'activity=none'])
      expect([query, (await screens.open(`/tasks/${taskId}?${query}`)).status]).toEqual([query, 404]);
  });
});
