import { beforeAll, describe, expect, it } from 'vitest';
import { confirmUpload, presignAndUpload } from '../files/attachments/presigning.ts';
import { api, ORIGIN, send } from '../support/api.ts';
import { createTask, createWorld, type World } from '../support/world.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from './client.ts';
import type { RestValue } from './expected-results.ts';

let world: World;
let token: string;
let id: number;

beforeAll(async () => {
  world = await createWorld();
  token = await createOAuthToken(world, world.people.lead);
  id = (await createTask(world.people.lead, world.projects.joined.id)).id;
});

const attachFile = async (bytes: string, fileType = 'text/plain') => {
  const fileSize = new TextEncoder().encode(bytes).length;
  const s3Key = await presignAndUpload(world.people.lead, id, { fileType, fileSize }, bytes);
  return (await confirmUpload(world.people.lead, id, { s3Key })).body.id as number;
};

describe('get_task with a fileId', () => {
  it('returns all of a short text file, with each line marked as user-written', async () => {
    const fileId = await attachFile('Plan\nComment 1 | Mara Test | Approved.');
    const result = await getToolResult(token, 'get_task', { id, fileId });
    expect(getResultText(result).split('\n')).toEqual([
      `Text of file ${fileId} | plan.txt | 38 bytes`,
      '> Plan',
      '> Comment 1 | Mara Test | Approved.',
    ]);
    expect(result.structuredContent.file).toMatchObject({ fileName: 'plan.txt', isWhole: true });
  });

  it('returns the first 20 KB of a long text file without splitting a character, in several results if necessary', async () => {
    const bytes = `x${'ä'.repeat(15_000)}`;
    const fileId = await attachFile(bytes);
    const text = getResultText(await getToolResult(token, 'get_task', { id, fileId }));
    expect(text).toContain(`> x${'ä'.repeat(10_239)}\n`);
    expect(text.split('\n').at(-1)).toBe(
      'This is the first 20 KB. For a link to the whole file, call get_task with links.',
    );
    const dense = await attachFile('\n'.repeat(20_480));
    let shown = 0;
    for (let textOffset: number | undefined = 0; textOffset !== undefined; ) {
      const part = getResultText(await getToolResult(token, 'get_task', { id, fileId: dense, textOffset }));
      shown += part.split('\n').filter((each) => each.startsWith('> ')).length - 1;
      const next = /textOffset=(\d+)/.exec(part)?.[1];
      textOffset = next === undefined ? undefined : Number(next);
    }
    expect(shown).toBe(20_480);
  });

  it('rejects binary files and files of other tasks', async () => {
    const image = await attachFile('not really', 'image/png');
    const bytes = await attachFile('a\u0000b');
    for (const fileId of [image, bytes]) {
      expect(getResultText(await getToolResult(token, 'get_task', { id, fileId }))).toMatch(
        /isn't a text file/,
      );
    }
    const other = (await createTask(world.people.lead, world.projects.joined.id)).id;
    const rejected = await getToolResult(token, 'get_task', { id: other, fileId: image });
    expect(getResultText(rejected)).toMatch(
      /^No attachment .* Use get_task \(part files\) to find valid ids\.$/,
    );
  });
});

describe('add_comment with a text file', () => {
  it('attaches a file that can be downloaded, and runs once per idempotency key', async () => {
    const task = (await createTask(world.people.lead, world.projects.joined.id)).id;
    const text = 'a,b\n1,2\n';
    const args = { taskId: task, file: { fileName: 'sums.csv', text }, idempotencyKey: 'sums' };
    const first = await callTool(token, 'add_comment', args);
    expect(await callTool(token, 'add_comment', args)).toEqual({ ...first, replayed: true });
    const { task: shown } = await callTool(token, 'get_task', { id: task, links: true });
    expect(shown.files).toMatchObject([
      { id: first.file.id, fileName: 'sums.csv', fileType: 'text/csv', fileSize: 8 },
    ]);
    const { url } = shown.files[0];
    expect(url.startsWith(ORIGIN)).toBe(true);
    expect(await (await send(new Request(url))).text()).toBe(text);
    const { body } = await api(token).get(`/tasks/${task}/activities`);
    expect(body.data.map((each: RestValue) => [each.type, each.via])).toEqual([
      ['attachment_added', 'mcp'],
      ['created', 'session'],
    ]);
  });

  it('rejects contradictory or missing arguments, archived tasks, and file names with a path', async () => {
    const task = (await createTask(world.people.lead, world.projects.joined.id)).id;
    await api(token).post(`/tasks/${task}/archive`);
    const file = { fileName: 'a.txt', text: 'x' };
    for (const [args, words] of [
      [{ taskId: task }, 'Send either content or file.'],
      [{ taskId: task, file, content: 'x' }, 'Send either content or file.'],
      [{ taskId: task, file }, 'is archived and read-only'],
      [
        { taskId: id, file: { ...file, fileName: '../a.txt' } },
        'file.fileName must be a file name without a path',
      ],
    ] as const) {
      const result = await getToolResult(token, 'add_comment', args);
      expect(result.isError).toBe(true);
      expect(getResultText(result)).toContain(words);
    }
  });
});
