import { beforeAll, describe, expect, it } from 'vitest';
import { SMALL_FILE_BYTES_MAX } from '../../../src/web/pages/files/small-file-size.ts';
import { CHUNK_BYTES, createBytes, fetchUrl, readStorage } from '../../files/uploads/uploading.ts';
import { ORIGIN } from '../../support/api.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let member: WorkspaceBrowser;
let client: WorkspaceBrowser;
let task: { id: number };

beforeAll(async () => {
  world = await createWorld();
  const { people, projects } = world;
  member = await WorkspaceBrowser.signIn(world, people.member);
  client = await WorkspaceBrowser.signIn(world, people.client);
  task = await createTask(people.owner, projects.other.id, { name: 'Files' });
});

const readCsrfToken = async (screens: WorkspaceBrowser) => {
  const { html } = await screens.open('/time');
  return /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
};

/** Sends a request as src/web/client/upload.ts does. */
async function sendRequest(
  screens: WorkspaceBrowser,
  method: string,
  path: string,
  body: BodyInit | null = null,
  headers: Record<string, string> = {},
) {
  const length = body instanceof Uint8Array ? { 'Content-Length': String(body.byteLength) } : {};
  const type =
    body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/octet-stream';
  const answer = await screens.browser.request(`${screens.base}/uploads${path}`, {
    method,
    body,
    headers: {
      Accept: 'application/json',
      'X-CSRF-Token': await readCsrfToken(screens),
      'Content-Type': type,
      Origin: ORIGIN,
      ...length,
      ...headers,
    },
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : null };
}
const buildFields = (fileSize: number, fileName = 'film.bin') =>
  new URLSearchParams({
    taskId: String(task.id),
    fileName,
    fileType: 'application/octet-stream',
    fileSize: String(fileSize),
  });

describe("an upload by a page's script", () => {
  it('is sent in chunks, reports which chunks are missing, and becomes a downloadable file on the task', async () => {
    const bytes = createBytes(CHUNK_BYTES + 10);
    const { body: opened } = await sendRequest(
      member,
      'POST',
      '',
      buildFields(bytes.byteLength, 'big <i>.bin'),
    );
    const session = `/${opened.sessionId}`;
    expect((await sendRequest(member, 'PUT', `${session}/parts/2`, bytes.subarray(CHUNK_BYTES))).status).toBe(
      200,
    );
    const early = await sendRequest(member, 'POST', `${session}/complete`);
    expect([early.status, typeof early.body.message]).toEqual([400, 'string']);
    const { body: status } = await sendRequest(member, 'GET', session);
    expect([status.missingParts, status.receivedBytes]).toEqual([[1], 10]);
    expect(
      (await sendRequest(member, 'PUT', `${session}/parts/1`, bytes.subarray(0, CHUNK_BYTES))).status,
    ).toBe(200);
    expect((await sendRequest(member, 'POST', `${session}/complete`)).status).toBe(200);
    const { html } = await member.open(`/tasks/${task.id}`);
    expect(html).toContain('<bdi>big &lt;i&gt;.bin</bdi>');
    const [, address = ''] =
      new RegExp(`href="${member.base}(/tasks/${task.id}/files/\\d+)"`).exec(html) ?? [];
    const download = await member.open(address);
    expect(download.status).toBe(302);
    const file = await fetchUrl(download.headers.get('Location') ?? '');
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
  });

  it('frees its storage when the person cancels it', async () => {
    const before = await readStorage(world);
    const { body: opened } = await sendRequest(member, 'POST', '', buildFields(100));
    expect((await readStorage(world)).reserved).toBe(before.reserved + 100);
    expect((await sendRequest(member, 'POST', `/${opened.sessionId}/abort`)).status).toBe(200);
    expect(await readStorage(world)).toEqual(before);
  });

  it('is rejected without a valid CSRF token, from another origin, and when signed out', async () => {
    const before = await readStorage(world);
    for (const headers of [{ 'X-CSRF-Token': 'x' }, { Origin: 'https://evil.example' }] as Record<
      string,
      string
    >[])
      expect((await sendRequest(member, 'POST', '', buildFields(9), headers)).status).toBe(403);
    expect((await sendRequest(new WorkspaceBrowser(world), 'POST', '', buildFields(9))).status).toBe(401);
    expect(await readStorage(world)).toEqual(before);
  });

  it("can be continued only by the person who started it, in the task's workspace", async () => {
    const { body: opened } = await sendRequest(member, 'POST', '', buildFields(9));
    const session = `/${opened.sessionId}`;
    const elsewhere = await createWorld();
    const stranger = await WorkspaceBrowser.signIn(elsewhere, elsewhere.people.owner);
    for (const screens of [client, stranger]) {
      expect((await sendRequest(screens, 'GET', session)).status).toBe(404);
      expect((await sendRequest(screens, 'PUT', `${session}/parts/1`, createBytes(9))).status).toBe(404);
      expect((await sendRequest(screens, 'POST', `${session}/abort`)).status).toBe(404);
      expect((await sendRequest(screens, 'POST', '', buildFields(9))).status).toBe(404);
    }
    expect((await sendRequest(member, 'POST', `${session}/abort`)).status).toBe(200);
  });
});

describe('the upload form without JavaScript', () => {
  const getAction = (page: string) => `${page.replace(/\/files$/, '')}/files`;

  async function uploadFile(screens: WorkspaceBrowser, page: string, file: File | null, csrf?: string) {
    const { html } = await screens.open(page);
    const fields = readHiddenFields(html, screens.base + getAction(page));
    return postFile(screens, getAction(page), { ...fields, ...(csrf && { csrf }) }, file);
  }

  async function postFile(
    screens: WorkspaceBrowser,
    action: string,
    fields: Record<string, string>,
    file: File | null,
  ) {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    if (file) form.set('file', file);
    const encoded = new Response(form);
    const body = new Uint8Array(await encoded.arrayBuffer());
    const answer = await screens.browser.request(screens.base + action, {
      method: 'POST',
      body,
      headers: {
        Origin: ORIGIN,
        'Content-Type': encoded.headers.get('Content-Type') ?? '',
        'Content-Length': String(body.byteLength),
      },
    });
    return { status: answer.status, location: answer.headers.get('Location'), html: await answer.text() };
  }
  const bytes = createBytes(1000);
  const createFile = (name = 'notes.txt') => new File([bytes], name, { type: 'text/plain' });

  it('adds a small file to the task and returns to the task', async () => {
    const answer = await uploadFile(member, `/tasks/${task.id}`, createFile());
    expect([answer.status, answer.location]).toEqual([303, `${member.base}/tasks/${task.id}`]);
    const { html } = await member.open(`/tasks/${task.id}`);
    expect(html).toContain('<bdi>notes.txt</bdi>');
  });

  it('adds the file once when the same form is submitted repeatedly', async () => {
    const action = getAction(`/tasks/${task.id}`);
    const { html } = await member.open(`/tasks/${task.id}`);
    const fields = readHiddenFields(html, member.base + action);
    const before = await readStorage(world);
    const submitFile = (name = 'pressed.txt') => postFile(member, action, fields, createFile(name));
    await Promise.all([submitFile(), submitFile()]);
    const again = await submitFile();
    expect([again.status, again.location]).toEqual([303, `${member.base}/tasks/${task.id}`]);
    const readTaskPage = async () => (await member.open(`/tasks/${task.id}`)).html;
    expect((await readTaskPage()).match(/<bdi>pressed.txt<\/bdi>/g)).toHaveLength(1);
    const { used, reserved } = await readStorage(world);
    expect([used - before.used, reserved]).toEqual([bytes.byteLength, before.reserved]);
    // Uploading another file from the same page adds that file.
    expect((await submitFile('another.txt')).status).toBe(303);
    expect(await readTaskPage()).toContain('<bdi>another.txt</bdi>');
    const { once: _once, ...without } = fields;
    expect((await postFile(member, action, without, createFile('twice.txt'))).status).toBe(403);
  });

  it('shows an error and stores nothing if the file or the CSRF token is invalid', async () => {
    const before = await readStorage(world);
    const page = `/tasks/${task.id}`;
    const nothing = await uploadFile(member, page, null);
    expect([nothing.status, nothing.html.includes('Choose a file that isn&#39;t empty.')]).toEqual([
      400,
      true,
    ]);
    const large = new File([new Uint8Array(SMALL_FILE_BYTES_MAX + 1)], 'large.bin');
    expect((await uploadFile(member, page, large)).status).toBe(400);
    expect((await uploadFile(member, page, createFile('a\u202eb.txt'))).status).toBe(400);
    expect((await uploadFile(member, page, createFile(), 'x'.repeat(43))).status).toBe(403);
    expect(await readStorage(world)).toEqual(before);
  });

  it('adds files to a project, where only people who may remove a file see a button for it', async () => {
    const { people, projects } = world;
    const page = `/projects/${projects.joined.id}/files`;
    expect((await uploadFile(member, page, createFile('plan.txt'))).status).toBe(303);
    const listButtons = async (person: Person) => {
      const { html } = await (await WorkspaceBrowser.signIn(world, person)).open(page);
      expect(html).toContain('<bdi>plan.txt</bdi>');
      return html.includes('Remove plan.txt');
    };
    const may = [people.member, people.lead, people.owner, people.client];
    expect(await Promise.all(may.map(listButtons))).toEqual([true, true, true, false]);
    const { html } = await member.open(page);
    const [, id] = /id="file-(\d+)"/.exec(html) ?? [];
    expect((await client.open(`${page}/${id}`)).status).toBe(302);
    expect((await member.send(page, `${page}/${id}/remove`)).status).toBe(303);
    expect((await member.open(page)).html).not.toContain(`id="file-${id}"`);
  });
});
