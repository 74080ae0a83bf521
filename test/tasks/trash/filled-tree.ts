import { confirmUpload, presignAndUpload } from '../../files/attachments/presigning.ts';
import { api } from '../../support/api.ts';
import { createTask, type Project, type World } from '../../support/world.ts';

/** Creates a task with two levels of subtasks, comments, a checklist, a relation, tracked time and files. */
export async function createFilledTree(
  { people, projects }: World,
  { project = projects.joined, word = 'quartz' }: { project?: Project; word?: string } = {},
) {
  const { lead, member, client, owner } = people;
  const fields = { deadline: '2026-03-04', customEstimatedHours: '2', tags: [word] };
  const root = await createTask(lead, project.id, {
    name: `${word} root`,
    description: `${word} text. `.repeat(1_000),
    assigneeId: member.userId,
    ...fields,
  });
  const child = await createTask(lead, project.id, {
    name: `${word} child`,
    parentId: root.id,
    assigneeId: client.userId,
    ...fields,
  });
  const grandchild = await createTask(member, project.id, {
    name: `${word} grandchild`,
    parentId: child.id,
    assigneeId: owner.userId,
    ...fields,
    status: 'completed',
  });
  const archived = await createTask(lead, project.id, { name: `${word} archived`, parentId: root.id });
  await api(lead.token).post(`/tasks/${archived.id}/archive`);
  for (const [index, person] of [lead, member, client, owner].entries()) {
    const { id } = [root, child, grandchild][index % 3] as typeof root;
    await api(person.token).post(`/tasks/${id}/comments`, {
      content: `${word} remark ${index} @[${member.userId}]`,
    });
  }
  await api(member.token).patch(`/tasks/${child.id}`, { status: 'in_progress' });
  await api(lead.token).put(`/tasks/${root.id}/checklist`, {
    items: [{ text: `${word} line`, isDone: true }],
  });
  await api(lead.token).post(`/tasks/${root.id}/relations`, { type: 'relates_to', taskId: child.id });
  await api(member.token).post('/timer/entries', {
    taskId: root.id,
    startTime: '2026-03-02T08:00:00.000Z',
    endTime: '2026-03-02T09:00:00.000Z',
  });
  await api(client.token).post('/timer/start', { taskId: child.id });
  const first = await confirmUpload(member, root.id, { s3Key: await presignAndUpload(member, root.id) });
  await confirmUpload(member, root.id, {
    s3Key: await presignAndUpload(member, root.id),
    parentId: first.body.id,
  });
  return {
    root,
    child,
    grandchild,
    archived,
    file: first.body,
    ids: [root, child, grandchild, archived].map(({ id }) => id),
  };
}
