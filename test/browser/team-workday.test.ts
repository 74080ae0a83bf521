// This file is long because each part continues with the data of the previous part. FILE_MB=60 uploads a larger file,
// which takes longer.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  buildCardsSelector,
  dragByMouse,
  dragByTouch,
  findCard,
  findCardInColumn,
  findColumn,
} from './boards.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { type Colleague, measureDelay, openTeam, type Team } from './team.ts';
import { logTimeYesterday, planMeeting, trackTime, uploadWithPause, writeDescription } from './workday.ts';

const FILE_BYTES = Number(process.env.FILE_MB ?? 18) * 1024 * 1024;
/** A random word made of these letters doesn't occur in the demo, and differs each time this test file runs. */
const RARE_LETTERS = 'jkqvwxz';
const word = Array.from({ length: 8 }, () => RARE_LETTERS[randomInt(RARE_LETTERS.length)]).join('');
const makeUnique = (name: string) => `${name} ${word}`;
const [letters, front, sign, lamps] = [
  makeUnique('Order the brass letters'),
  makeUnique('Measure the shop front'),
  makeUnique('Draw the hanging sign'),
  makeUnique('Choose the lamps'),
];
const renamed = makeUnique('Order the brass letters, 14 of them');
const text = makeUnique('Serif, 30 cm high.');
const fileName = `sign ${word}.dxf`;
const bytes = Buffer.alloc(FILE_BYTES, `The sign at its full size, as ${word} drew it. `);

const { server, browser } = await openServerAndBrowser();
let team: Team;
let folder: string;
/** The URL of the task that the team works on. */
let task: string;
let id: number;
let meeting: Awaited<ReturnType<typeof planMeeting>>;

before(async () => {
  team = await openTeam(browser, server.origin);
  folder = mkdtempSync(join(tmpdir(), 'edgework-day-'));
});
after(async () => {
  rmSync(folder, { recursive: true });
});

async function recordDelay(what: string, ...step: Parameters<typeof measureDelay>): Promise<void> {
  const ms = await measureDelay(...step);
  process.stdout.write(`  seen by everyone after ${ms} ms: ${what}\n`);
}

test('four people add cards to the same board at the same time, and everyone sees every card', async () => {
  const { owner, lead, member, client, all, base } = team;
  await Promise.all(all.map(({ page }) => page.goto(`${base}/projects/1`)));
  const plans: readonly (readonly [by: Colleague, name: string, status: string])[] = [
    [owner, letters, 'todo'],
    [lead, front, 'todo'],
    [member, sign, 'in_progress'],
    [client, lamps, 'todo'],
  ];
  for (const [{ page }, name, status] of plans)
    await findColumn(page, status).getByPlaceholder('Add a task…').fill(name);
  await Promise.all(
    plans.map(([by, name, status]) =>
      recordDelay('one of four tasks that are added at once', () => by.page.keyboard.press('Enter'), all, {
        selector: buildCardsSelector(status),
        text: name,
      }),
    ),
  );
});

test("people drag cards by mouse and touch, and another person's filtered board shows the moves", async () => {
  const { owner, member, client, all } = team;
  const ours = owner.page.locator('.cards > li:not(.more)');
  await owner.page.getByRole('searchbox', { name: 'Text' }).fill(word);
  await owner.page.keyboard.press('Enter');
  await owner.page.waitForURL(/q=/);
  assert.equal(await ours.count(), 4);
  const findTarget = ({ page }: Colleague) => findColumn(page, 'in_progress').locator('.cards');
  const byMouse = await dragByMouse(findCardInColumn(member.page, 'todo', front), findTarget(member));
  await recordDelay('a card that a mouse drags', byMouse.drop, all, {
    selector: buildCardsSelector('in_progress'),
    text: front,
  });
  const byTouch = await dragByTouch(findCardInColumn(client.page, 'todo', lamps), findTarget(client));
  await recordDelay('a card that a finger drags', byTouch.drop, all, {
    selector: buildCardsSelector('in_progress'),
    text: lamps,
  });
  assert.equal(await ours.count(), 4);
});

test('the title and comment fields keep typed text while other people move the task', async () => {
  const { owner, lead, member, client } = team;
  await findCard(owner.page, letters).getByRole('link', { name: letters, exact: true }).click();
  await owner.page.getByRole('link', { name: 'Open full page' }).click();
  await owner.page.waitForURL(/\/tasks\/\d+$/);
  task = owner.page.url();
  id = Number(task.split('/').at(-1));
  await Promise.all([member, client].map(({ page }) => page.goto(task)));
  const readers = [member, client];
  const title = owner.page.getByRole('textbox', { name: 'Task name' });
  const draft = member.page.locator('#new-comment');
  await title.fill(renamed);
  await draft.pressSequentially('The founder asked');
  await lead.page.locator(`#task-${id}`).focus();
  await recordDelay(
    'a move, on the page of the task',
    () => lead.page.keyboard.press('3'),
    [owner, ...readers],
    {
      selector: '.feed .change',
      text: 'Internal review',
    },
  );
  assert.deepEqual([await title.inputValue(), await draft.inputValue()], [renamed, 'The founder asked']);
  await recordDelay('a title', () => owner.page.keyboard.press('Tab'), readers, {
    selector: 'h1',
    text: renamed,
  });
  const description = await writeDescription(owner.page, text);
  await recordDelay('a description', description.save, readers, { selector: '.rich', text });
  assert.equal(await draft.inputValue(), 'The founder asked');
});

test('people mention each other in comments while an upload is paused and resumed after a reload', async () => {
  const { owner, lead, member, client, base } = team;
  const path = join(folder, fileName);
  writeFileSync(path, bytes);
  const upload = await uploadWithPause(member.page, path);
  await lead.page.goto(task);
  const comment = lead.page.locator('#new-comment');
  await comment.pressSequentially('@jonas');
  await lead.page.getByRole('option', { selected: true }).filter({ hasText: 'Jonas Weber' }).waitFor();
  await lead.page.keyboard.press('Enter');
  await comment.pressSequentially(makeUnique('drills the holes?'));
  await recordDelay(
    'a comment',
    () => lead.page.getByRole('button', { name: 'Comment', exact: true }).click(),
    [owner, member, client],
    { selector: '.comment .text', text: `@Jonas Weber ${makeUnique('drills the holes?')}` },
  );
  const work = Promise.all([
    trackTime(owner.page, base),
    planMeeting(lead.page, base, makeUnique('Fitting of the sign')),
  ]);
  await recordDelay('a file of so many megabytes, from its last start', upload.resume, [member, client], {
    selector: '.files .panel:not(.uploads) li',
    text: fileName,
  });
  [, meeting] = await work;
  await logTimeYesterday(owner.page, task);
});

test('people drag a meeting to another day and clear their inbox', async () => {
  const { lead, member, base } = team;
  const { date, next, name } = meeting;
  const week = `${base}/calendar?view=week&day=${date}&who=all`;
  await Promise.all([lead, member].map(({ page }) => page.goto(week)));
  const buildDaySelector = (of: string) => `.day-items[data-date="${of}"]`;
  const drag = await dragByMouse(
    lead.page.locator(`${buildDaySelector(date)} > li`, { hasText: name }),
    lead.page.locator(buildDaySelector(next)),
  );
  await recordDelay('a meeting that is dragged', drag.drop, [lead, member], {
    selector: `${buildDaySelector(next)} > li:not(.sortable-fallback)`,
    text: name,
  });

  const unread = `${base}/inbox?show=unread`;
  await member.page.goto(unread);
  await member.page.getByRole('button', { name: makeUnique('drills the holes?') }).click();
  await member.page.waitForURL(task);
  await member.page.goto(unread);
  const all = member.page.getByRole('button', { name: 'Mark all as read' });
  if (await all.isVisible()) await all.click();
  await member.page.getByText("You're all caught up.").waitFor();
});

test("the dashboard, search and the CSV export include the team's tasks", async () => {
  const { owner, client, base } = team;
  await owner.page.goto(`${base}/dashboard`);
  const readTileNumber = async (label: string) => {
    const tile = owner.page.locator('.tiles a', { hasText: label }).locator('strong');
    return Number((await tile.textContent())?.replace(/\D/g, ''));
  };
  const stats = await owner.ask<{ overdue: number; dueToday: number }>('/dashboard/stats');
  assert.deepEqual(
    [await readTileNumber('Overdue'), await readTileNumber('Due today')],
    [stats.overdue, stats.dueToday],
  );

  await client.page.goto(`${base}/search`);
  await client.page.getByRole('searchbox').tap();
  await client.page.keyboard.type(word.slice(0, 3));
  for (const name of [renamed, front, sign, lamps])
    await client.page.locator('#found a', { hasText: name }).waitFor();

  await owner.page.goto(`${base}/tasks?q=${word}`);
  const download = owner.page.waitForEvent('download');
  await owner.page.getByRole('link', { name: 'Export CSV' }).click();
  const csv = readFileSync(await (await download).path(), 'utf8');
  const shown = await owner.page.locator('tbody td.name').allTextContents();
  assert.deepEqual(
    csv.match(new RegExp(`[^,"\\n]*(?:, 14 of them)? ${word}`, 'g'))?.toSorted(),
    shown.map((name) => name.trim()).toSorted(),
  );
});

test("after the team's day, the API returns everything that people did, and no page has logged an error", async () => {
  const { owner, lead, member, client, all } = team;
  interface Task {
    id: number;
    name: string;
    status: string;
    description: string | null;
    comments: { content: string; author: { name: string } }[];
  }
  const own = await client.ask<Task>(`/tasks/${id}`);
  assert.deepEqual([own.name, own.status], [renamed, 'internal_review']);
  assert.ok(own.description?.includes(text), own.description ?? 'no description');
  const { data } = await owner.ask<{ data: Task[] }>(`/tasks?search=${word}&scope=all`);
  const statuses = new Map(data.map(({ name, status }) => [name, status]));
  const planned = [renamed, front, sign, lamps].map((name) => statuses.get(name));
  assert.deepEqual(planned, ['internal_review', 'in_progress', 'in_progress', 'in_progress']);
  const { data: comments } = await owner.ask<{ data: Task['comments'] }>(`/tasks/${id}/comments`);
  const texts = comments.map(({ author, content }) => `${author.name}: ${content}`);
  assert.equal(texts.length, 1);
  assert.match(texts[0] ?? '', new RegExp(`^Priya Raman: @\\[usr_\\w+\\] drills the holes\\? ${word}$`));
  const { data: files } = await client.ask<{ data: { id: number; fileSize: number }[] }>(
    `/tasks/${id}/attachments`,
  );
  assert.deepEqual(
    files.map(({ fileSize }) => fileSize),
    [FILE_BYTES],
  );
  const download = owner.page.waitForEvent('download');
  await owner.page.goto(task);
  await owner.page.getByRole('link', { name: fileName }).click();
  assert.ok(readFileSync(await (await download).path()).equals(bytes));
  const { data: entries } = await owner.ask<{ data: { durationSeconds: number; endTime: string | null }[] }>(
    `/timer/entries?taskId=${id}`,
  );
  assert.equal(entries.length, 2);
  assert.equal(entries.at(-1)?.durationSeconds, 20 * 60);
  assert.ok(entries.every(({ endTime }) => endTime !== null));
  const { date } = await lead.ask<{ date: string }>(`/meetings/${meeting.id}`);
  assert.equal(date, meeting.next);
  assert.deepEqual(await member.ask('/notifications/count'), { count: 0 });

  for (const { problems } of all) assert.deepEqual(problems, []);
});
