import { describe, expect, it } from 'vitest';
import { removeProjectFile, removeTaskFile } from '../../../src/files/attachments/remove.ts';
import { restoreProjectFile, restoreTaskFile } from '../../../src/files/attachments/restore.ts';
import type { AnyOperation } from '../../../src/kernel/operation/operation.ts';
import { restoreMeeting } from '../../../src/meetings/operations/restore-meeting.ts';
import { restoreNotification } from '../../../src/notifications/inbox/notifications.ts';
import { runObjectDeletion } from '../../files/attachments/object-deletion.ts';
import { confirmUpload, listObjects, presignAndUpload } from '../../files/attachments/presigning.ts';
import { fetchUrl, openFilledSession, readStorage } from '../../files/uploads/uploading.ts';
import { api } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createMeeting, createTask, createWorld, type Person, type World } from '../../support/world.ts';

const runAs = (person: Person, operation: AnyOperation, input: Record<string, unknown>) =>
  runForm(person.token, operation, input);
const getStatus = async (person: Person, operation: AnyOperation, input: Record<string, unknown>) =>
  (await runAs(person, operation, input)).status;

const ageRemovals = ({ cell }: World, ms: number) =>
  getCell(cell).prepare('UPDATE removals SET removed_at = removed_at - ?').bind(ms).run();
const MINUTE = 60_000;
const countRemovals = async ({ cell, people }: World) =>
  getCell(cell)
    .prepare('SELECT count(*) AS n FROM removals WHERE user_id = ?')
    .bind(people.member.userId)
    .first<number>('n');

describe('a removed file', () => {
  async function createRemovedFile(versions = 1) {
    const world = await createWorld({ cell: 1 });
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const first = (await confirmUpload(member, id, { s3Key: await presignAndUpload(member, id) })).body;
    for (let version = 1; version < versions; version += 1)
      await confirmUpload(member, id, { s3Key: await presignAndUpload(member, id), parentId: first.id });
    const path = `/tasks/${id}/attachments`;
    const before = (await api(member.token).get(path)).body.data;
    const { url } = (await api(member.token).get(`${path}/${before[0].id}/download`)).body;
    expect(await getStatus(member, removeTaskFile, { id, attachmentId: before[0].id })).toBe(200);
    return { world, member, id, path, url, before, input: { id, attachmentId: first.id } };
  }

  it('immediately returns 404 and no longer counts toward the storage in use, but its bytes are kept', async () => {
    const { world, member, path, url } = await createRemovedFile(2);
    expect(await readStorage(world)).toEqual({ used: 0, reserved: 0, trulyUsed: 0, trulyReserved: 0 });
    expect((await api(member.token).get(path)).body.data).toEqual([]);
    expect((await fetchUrl(url)).status).toBe(404);
    await runCron('* * * * *');
    expect((await listObjects(world)).length).toBe(2);
  });

  it('can be restored only once, with its id, versions, bytes and storage', async () => {
    const { world, member, path, url, before, input } = await createRemovedFile(2);
    expect(await getStatus(member, restoreTaskFile, input)).toBe(200);
    expect((await api(member.token).get(path)).body.data).toEqual(before);
    expect(await (await fetchUrl(url)).text()).toBe('hello');
    expect(await readStorage(world)).toEqual({ used: 10, reserved: 0, trulyUsed: 10, trulyReserved: 0 });
    await runObjectDeletion();
    expect((await listObjects(world)).length).toBe(2);
    const after = await readAllContents();
    expect(await getStatus(member, restoreTaskFile, input)).toBe(404);
    expect(await readAllContents()).toEqual(after);
    const { body } = await api(member.token).get(`/tasks/${input.id}/activities`);
    expect(body.data.slice(0, 2).map(({ type }: { type: string }) => type)).toEqual([
      'attachment_added',
      'attachment_removed',
    ]);
  });

  it('can be restored within 10 minutes, only by the person who removed it and only to the same active task', async () => {
    const { world, member, id, input } = await createRemovedFile();
    const other = await createTask(member, world.projects.joined.id);
    const before = await readAllContents();
    expect(await getStatus(world.people.owner, restoreTaskFile, input)).toBe(404);
    expect(await getStatus(member, restoreTaskFile, { ...input, id: other.id })).toBe(404);
    expect(await getStatus(member, restoreProjectFile, { ...input, id: world.projects.joined.id })).toBe(404);
    expect(await readAllContents()).toEqual(before);
    await api(member.token).post(`/tasks/${id}/archive`);
    expect(await getStatus(member, restoreTaskFile, input)).toBe(400);
    await api(member.token).post(`/tasks/${id}/unarchive`);
    await ageRemovals(world, 10 * MINUTE);
    expect(await getStatus(member, restoreTaskFile, input)).toBe(404);
  });

  it("can't be restored if the plan's storage limit would be exceeded", async () => {
    const { world, member, input } = await createRemovedFile();
    const setUsedStorage = (bytes: number) =>
      getCell(1).prepare('UPDATE storage SET used = ? WHERE ws = ?').bind(bytes, world.no).run();
    await setUsedStorage(1024 ** 4 - 4);
    const rejected = await runAs(member, restoreTaskFile, input);
    expect([rejected.status, rejected.body.error.code]).toEqual([403, 'forbidden_plan']);
    await setUsedStorage(1024 ** 4 - 5);
    expect(await getStatus(member, restoreTaskFile, input)).toBe(200);
  });

  it("can't be restored once its object is being deleted", async () => {
    const { world, member, input } = await createRemovedFile();
    await runObjectDeletion();
    expect(await listObjects(world)).toEqual([]);
    expect(await getStatus(member, restoreTaskFile, input)).toBe(404);
    expect(await readStorage(world)).toEqual({ used: 0, reserved: 0, trulyUsed: 0, trulyReserved: 0 });
  });

  it('is deleted from storage by a cron job after 10 minutes', async () => {
    const { world } = await createRemovedFile();
    await runCron('* * * * *');
    expect(await countRemovals(world)).toBe(1);
    await ageRemovals(world, 10 * MINUTE);
    await runObjectDeletion();
    expect([await countRemovals(world), await listObjects(world)]).toEqual([0, []]);
  });

  it('can be restored to a project as long as the person can see the project', async () => {
    const world = await createWorld({ cell: 1 });
    const { client } = world.people;
    const { id } = world.projects.joined;
    const session = await openFilledSession(client, { projectId: id });
    const file = (await api(client.token).post(`/chunked-upload/complete/${session}`)).body;
    const input = { id, attachmentId: file.id };
    const listFiles = async () =>
      (await api(world.people.owner.token).get(`/projects/${id}/attachments`)).body.data;
    expect(await getStatus(client, removeProjectFile, input)).toBe(200);
    expect(await getStatus(client, restoreProjectFile, input)).toBe(200);
    expect(await listFiles()).toEqual([file]);
    expect(await getStatus(client, removeProjectFile, input)).toBe(200);
    await getCell(1)
      .prepare('DELETE FROM project_members WHERE project = ? AND member = ?')
      .bind(id, client.member)
      .run();
    expect(await getStatus(client, restoreProjectFile, input)).toBe(404);
    expect(await listFiles()).toEqual([]);
  });
});

describe('a canceled meeting', () => {
  async function createCanceledMeeting(recurrence: string | null = null) {
    const world = await createWorld();
    const { lead, member } = world.people;
    const { id } = await createMeeting(lead, world.projects.joined.id, {
      date: '2030-03-04',
      participantIds: [lead.userId, member.userId],
      recurrence,
    });
    const readMeetingRow = () =>
      getCell(0)
        .prepare('SELECT date, time, slot, occurrence, due_at, cancelled_at FROM meetings WHERE id = ?')
        .bind(id)
        .first();
    const before = {
      answer: (await api(lead.token).get(`/meetings/${id}`)).body,
      row: await readMeetingRow(),
    };
    expect((await api(lead.token).delete(`/meetings/${id}`)).status).toBe(200);
    return { world, lead, member, id, before, readMeetingRow };
  }

  it.each([null, 'FREQ=WEEKLY'])(
    'is restored unchanged, and its participants are notified (recurrence: %s)',
    async (rule) => {
      const { lead, member, id, before, readMeetingRow } = await createCanceledMeeting(rule);
      expect(await getStatus(lead, restoreMeeting, { id })).toBe(200);
      expect((await api(lead.token).get(`/meetings/${id}`)).body).toEqual(before.answer);
      expect(await readMeetingRow()).toEqual(before.row);
      const notifications = (await api(member.token).get('/notifications')).body.data;
      expect(notifications.slice(0, 2).map(({ type }: { type: string }) => type)).toEqual([
        'meeting_updated',
        'meeting_cancelled',
      ]);
      const after = await readAllContents();
      expect(await getStatus(lead, restoreMeeting, { id })).toBe(404);
      expect(await readAllContents()).toEqual(after);
    },
  );

  it('can be restored within 10 minutes, only by the person who canceled it and only while they may cancel meetings', async () => {
    const { world, lead, member, id } = await createCanceledMeeting();
    const before = await readAllContents();
    for (const person of [world.people.owner, member]) {
      expect([403, 404]).toContain(await getStatus(person, restoreMeeting, { id }));
    }
    expect(await readAllContents()).toEqual(before);
    await getCell(0).prepare("UPDATE members SET role = 'member' WHERE no = ?").bind(lead.member).run();
    expect(await getStatus(lead, restoreMeeting, { id })).toBe(403);
    await getCell(0).prepare("UPDATE members SET role = 'lead' WHERE no = ?").bind(lead.member).run();
    await ageRemovals(world, 10 * MINUTE);
    expect(await getStatus(lead, restoreMeeting, { id })).toBe(404);
  });

  it('can be restored and canceled again repeatedly', async () => {
    const { lead, id } = await createCanceledMeeting();
    expect(await getStatus(lead, restoreMeeting, { id })).toBe(200);
    expect((await api(lead.token).delete(`/meetings/${id}`)).status).toBe(200);
    expect(await getStatus(lead, restoreMeeting, { id })).toBe(200);
    expect((await api(lead.token).get(`/meetings/${id}`)).status).toBe(200);
  });
});

describe('a removed notification', () => {
  async function createNotification(isRead: boolean) {
    const world = await createWorld();
    const { owner, member } = world.people;
    const assigneeId = member.userId;
    await createTask(owner, world.projects.joined.id, { assigneeId });
    await createTask(owner, world.projects.joined.id, { assigneeId });
    const session = api(member.token);
    const listNotifications = async () => (await session.get('/notifications')).body;
    const { id } = (await listNotifications()).data[0];
    if (isRead) await session.put(`/notifications/${id}/read`);
    const before = await listNotifications();
    expect((await session.delete(`/notifications/${id}`)).status).toBe(200);
    return { world, member, id, before, listNotifications };
  }

  it.each([true, false])(
    'can be restored only once, at its old position and with correct counts (read: %s)',
    async (isRead) => {
      const { world, member, id, before, listNotifications } = await createNotification(isRead);
      expect((await listNotifications()).meta.total).toBe(1);
      expect(await getStatus(member, restoreNotification, { id })).toBe(200);
      expect(await listNotifications()).toEqual(before);
      const counted = await api(member.token).get('/notifications/count');
      expect(counted.body.count).toBe(isRead ? 1 : 2);
      expect(await getStatus(member, restoreNotification, { id })).toBe(404);
      expect(await listNotifications()).toEqual(before);
      expect(await countRemovals(world)).toBe(0);
    },
  );

  it('can still be restored after newer notifications have arrived', async () => {
    const { world, member, id, before, listNotifications } = await createNotification(false);
    await createTask(world.people.owner, world.projects.joined.id, { assigneeId: member.userId });
    expect(await getStatus(member, restoreNotification, { id })).toBe(200);
    expect((await listNotifications()).data.slice(1)).toEqual(before.data);
  });

  it('can be restored within 10 minutes, only by the person who removed it', async () => {
    const { world, member, id } = await createNotification(false);
    const before = await readAllContents();
    expect(await getStatus(world.people.owner, restoreNotification, { id })).toBe(404);
    expect(await readAllContents()).toEqual(before);
    await ageRemovals(world, 10 * MINUTE);
    expect(await getStatus(member, restoreNotification, { id })).toBe(404);
  });
});
