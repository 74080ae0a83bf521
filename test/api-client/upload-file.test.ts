import { describe, expect, it } from 'vitest';
import type { EdgeworkClient } from '../../.wrangler/assets/client.js';
import { CHUNK_BYTES, createBytes, fetchUrl, readStorage } from '../files/uploads/uploading.ts';
import { createTask, createWorld } from '../support/world.ts';
import { connectClient } from './connect.ts';

async function downloadAttachment(client: EdgeworkClient, id: number, attachmentId: number) {
  const { url } = await client.downloadTaskAttachment({ id, attachmentId });
  return new Uint8Array(await (await fetchUrl(url)).arrayBuffer());
}

describe('uploadFile', () => {
  it('uploads a small file to a presigned URL', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const { client, sent } = connectClient(member.token);
    const file = new File(['hello'], 'plan.txt', { type: 'text/plain' });
    const progress: number[] = [];
    const attachment = await client.uploadFile(
      { taskId: id, file },
      { onProgress: (bytes, total) => progress.push(bytes, total) },
    );
    expect(attachment).toMatchObject({ fileName: 'plan.txt', fileType: 'text/plain', fileSize: 5 });
    expect(new TextDecoder().decode(await downloadAttachment(client, id, attachment.id))).toBe('hello');
    expect(sent.map(({ url }) => url.pathname.split('/').at(-1))).toEqual(['presign', 'confirm', 'download']);
    expect(progress).toEqual([5, 5]);
    const next = await client.uploadFile({ taskId: id, file, parentId: attachment.id });
    expect((await client.listTaskAttachments({ id })).data.map((each) => each.id)).toEqual([next.id]);
  });

  it('uploads a large file in chunks, and repeats a chunk whose response was lost', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const { client, sent } = connectClient(member.token, {
      interrupt: async (count, deliver) => {
        const response = await deliver();
        if (count === 2) throw new TypeError('The connection was lost');
        return response;
      },
    });
    const file = createBytes(CHUNK_BYTES + 3);
    const attachment = await client.uploadFile({ taskId: id, file, fileName: 'film.bin' });
    expect(attachment).toMatchObject({ fileName: 'film.bin', fileSize: CHUNK_BYTES + 3 });
    expect(sent.map(({ url }) => url.pathname.split('/')[3])).toEqual([
      'init',
      'chunk',
      'chunk',
      'chunk',
      'complete',
    ]);
    expect(await downloadAttachment(client, id, attachment.id)).toEqual(file);
  });

  it('uploads a file to a project', async () => {
    const world = await createWorld();
    const { lead } = world.people;
    const projectId = world.projects.joined.id;
    const { client } = connectClient(lead.token);
    const { id } = await client.uploadFile({ projectId, file: new Blob(['brief']), fileName: 'brief.txt' });
    const { data } = await client.listProjectAttachments({ id: projectId });
    expect(data.map((each) => [each.id, each.fileName])).toEqual([[id, 'brief.txt']]);
  });

  it('frees the reserved storage when it is aborted', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const stop = new AbortController();
    const { client } = connectClient(member.token);
    const uploaded = client.uploadFile(
      { taskId: id, file: createBytes(CHUNK_BYTES + 3) },
      { signal: stop.signal, onProgress: () => stop.abort(new Error('stopped')) },
    );
    await expect(uploaded).rejects.toThrow('stopped');
    expect(await readStorage(world)).toMatchObject({ used: 0, reserved: 0 });
  });
});
