import { beforeAll, describe, expect, it } from 'vitest';
import { sanitizeRichText } from '../../../src/kernel/rich-text/rich-text.ts';
import { screens } from '../../../src/web/pages/screens.ts';
import { api } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { hostileUrls, textsForPages } from '../../support/hostile-texts.ts';
import type { World } from '../../support/world.ts';
import { createFullWorkspace, type FullWorkspace } from './full-workspace.ts';
import { buildSkeleton, expectSameStructure, hostileRounds, hostileTexts } from './hostile-pages.ts';
import type { WorkspaceBrowser } from './workspace-browser.ts';

const QUERY_CHARACTERS = 80;
const ABSENT_WORD = 'Zyzzyva';
/** Every hostile text contains this word, so that searches find it. It is also the task's name in logged events. */
const WORD = 'Renamed';

let world: World;
let owner: WorkspaceBrowser;
let idsByParameter: FullWorkspace['idsByParameter'];
let changes: readonly { seq: number; changes: string }[];

beforeAll(async () => {
  ({ world, owner, idsByParameter } = await createFullWorkspace(WORD));
  ({ results: changes } = await getCell(1)
    .prepare('SELECT seq, changes FROM events WHERE ws = ? AND instr(changes, ?) > 0')
    .bind(world.no, JSON.stringify(WORD))
    .all<{ seq: number; changes: string }>());
  expect(changes.length).toBeGreaterThan(0);
});

/** Stores the text, followed by `WORD`, in many fields that people can fill in, bypassing validation. */
async function storeEverywhere(hostile: string) {
  const text = `${hostile} ${WORD}`;
  const db = getCell(1);
  const set = (table: string, columns: string, where = 'ws', key: number | string = world.no) =>
    db.prepare(`UPDATE ${table} SET ${columns.replaceAll('?', '?1')} WHERE ${where} = ?2`).bind(text, key);
  const rich = sanitizeRichText(`x ${text}`);
  const setDescription = (table: string) =>
    db.prepare(`UPDATE ${table} SET description = ? WHERE ws = ?`).bind(rich, world.no);
  await db.batch([
    set('tasks', 'name = ?, tags = json_array(?)'),
    set('label_counts', 'name = ?'),
    set('labels', 'description = ?'),
    set('comments', `content = '@[${world.people.owner.userId}] ' || ?`),
    set('projects', 'name = ?, description = ?'),
    set('members', 'name = ?, email = ?, version = version + 1'),
    set('workspaces', 'name = ?, version = version + 1', 'no'),
    set('meetings', "name = ?, location = ?, link = 'https://meet.example.com/' || ?"),
    ...['tasks', 'meetings'].map(setDescription),
    ...['teams', 'attachments', 'credentials', 'invitations', 'saved_filters'].map((table) =>
      set(table, { attachments: 'file_name = ?', invitations: 'email = ?' }[table] ?? 'name = ?'),
    ),
    set('task_categories', 'value = ?'),
    set('task_types', 'value = ?'),
    set('webhooks', 'url = ?, description = ?'),
    set(
      'imports',
      `file_name = ?, problem = ?, report = json_set(report, '$.columns[0].header', ?, '$.columns[0].examples[0]', ?,
        '$.values[0].text', ?, '$.notes[0].text', ?, '$.sample[0].name', ?)`,
    ),
    set('webhook_deliveries', 'error = ?, answer = ?'),
    ...changes.map((event) =>
      db
        .prepare('UPDATE events SET changes = ? WHERE ws = ? AND seq = ?')
        .bind(event.changes.replaceAll(JSON.stringify(WORD), JSON.stringify(text)), world.no, event.seq),
    ),
  ]);
  const { userId } = world.people.owner;
  await env.DIRECTORY.batch([
    env.DIRECTORY.prepare('UPDATE users SET name = ? WHERE id = ?').bind(text, userId),
    env.DIRECTORY.prepare('UPDATE browser_sessions SET user_agent = ? WHERE user_id = ?').bind(text, userId),
  ]);
}

/** Query strings to try for each page. `TEXT` is replaced with the hostile text. */
const queries: Readonly<Record<string, readonly string[]>> = {
  inbox: ['?show=unread'],
  search: ['?q=renamed', '?q=TEXT'],
  projects: ['?q=TEXT'],
  people: ['?about=PERSON'],
  board: ['?move=TASK', '?q=TEXT', '?sort=due'],
  taskList: [
    '?project=PROJECT&cols=status,assignee,priority,deadline,tags',
    '?q=TEXT',
    '?edit=TASK&field=assignee',
  ],
  taskLine: ['?name=TEXT', '?name=x%2C+%40PERSON', '?name=renamed%2C+%23renamed'],
  newTask: ['?project=PROJECT&assignee=PERSON', '?name=TEXT'],
  task: ['?activity=comments'],
  mentionable: ['?q=TEXT'],
  findProjects: ['?q=renamed'],
  calendar: ['?who=all', '?view=week&who=all'],
  timeline: ['', '?who=me'],
  newMeeting: ['?projectId=PROJECT&date=2026-12-01&time=10:00'],
  dashboard: ['?mode=monthly'],
};

function listPagePaths(text: string): string[] {
  const encoded = encodeURIComponent(`${text.slice(0, QUERY_CHARACTERS).toWellFormed()} ${ABSENT_WORD}`);
  const fillPath = (path: string) =>
    path
      .replace(/:([a-z]\w*)/gi, (_, name: string) => String(idsByParameter[name] ?? `no ${name}`))
      .replace('PROJECT', String(idsByParameter.project))
      .replace('TASK', String(idsByParameter.task))
      .replace('PERSON', world.people.member.userId)
      .replace('TEXT', encoded);
  const shown = screens.filter(({ redirectTo }) => !redirectTo);
  return [
    ...shown.flatMap(({ name, path }) =>
      ['', ...(queries[name] ?? [])].map((query) => owner.base + fillPath(path + query)),
    ),
    '/app/workspaces',
    '/account',
    '/account/apps',
    `/connected-apps?workspace=${world.id}`,
  ];
}

async function openPages(text: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [index, address] of listPagePaths(text).entries()) {
    const answer = await owner.browser.get(address);
    expect([answer.status, address]).toEqual([200, address]);
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    found.set(`${index} ${address.split(/\b(?:q|name)=/)[0]}`, await answer.text());
  }
  return found;
}

describe('user input', () => {
  it(`is escaped on every page, for ${hostileTexts.length} samples of hostile text`, async () => {
    expect(textsForPages.length).toBeGreaterThanOrEqual(60);
    expect(new Set(hostileTexts).size).toBe(hostileTexts.length);
    const word = 'Plain';
    await storeEverywhere(word);
    const harmless = new Map([...(await openPages(word))].map(([name, html]) => [name, buildSkeleton(html)]));
    for (const text of hostileRounds) {
      await storeEverywhere(text);
      for (const [name, html] of await openPages(text)) {
        const known = harmless.get(name);
        if (!known) throw new Error(`${name} was not read before`);
        expectSameStructure(html, known, `${name} with ${JSON.stringify(text)}`);
      }
    }
  });

  it('is rejected as a meeting link if it is a URL that a browser would run', async () => {
    const { lead } = world.people;
    const planMeeting = (meetingLink: string) =>
      api(lead.token).post('/meetings', {
        projectId: world.projects.joined.id,
        name: 'x',
        date: '2026-12-01',
        time: '10:00',
        participantIds: [lead.userId],
        meetingLink,
      });
    const taken: string[] = [];
    for (const address of hostileUrls) if ((await planMeeting(address)).status !== 400) taken.push(address);
    expect(taken).toEqual([]);
  });
});
