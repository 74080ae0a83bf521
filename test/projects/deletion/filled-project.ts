import { confirmUpload, presignAndUpload } from '../../files/attachments/presigning.ts';
import { openFilledSession } from '../../files/uploads/uploading.ts';
import { api } from '../../support/api.ts';
import { createMeeting, createProject, createTask, type Project, type World } from '../../support/world.ts';

/**
 * Creates a project with tasks, comments, time entries, files and a meeting, and involves everyone in the workspace. If
 * `related` is the id of a task, the project's tasks are related to that task.
 */
export async function createFilledProject({ people, no, cell }: World, related?: number): Promise<Project> {
  const everyone = Object.values(people);
  const project = await createProject(
    { no, cell },
    { name: 'Doomed', owner: people.lead, members: [people.member, people.client] },
  );
  for (const [index, person] of everyone.entries()) {
    const { id } = await createTask(people.lead, project.id, {
      name: `Doomed ${index}`,
      // Two descriptions are long enough to be stored separately from their tasks.
      description: 'Doomed as well. '.repeat(index < 2 ? 1_000 : 1),
      deadline: '2026-03-04',
      assigneeId: person.userId,
      customEstimatedHours: '2',
    });
    const type = index % 2 === 0 ? 'blocks' : 'duplicates';
    if (related) await api(people.lead.token).post(`/tasks/${id}/relations`, { type, taskId: related });
    const { body: comment } = await api(person.token).post(`/tasks/${id}/comments`, {
      content: `Doomed remark ${index}`,
    });
    await api(person.token).put(`/tasks/${id}/comments/${comment.id}/reactions/heart`);
    if (index % 2 === 0) await api(person.token).patch(`/tasks/${id}`, { status: 'completed' });
    await api(person.token).post('/timer/start', { taskId: id });
    if (index === 0) {
      const first = await confirmUpload(person, id, { s3Key: await presignAndUpload(person, id) });
      await confirmUpload(person, id, { s3Key: await presignAndUpload(person, id), parentId: first.body.id });
      await presignAndUpload(person, id);
    }
    if (index === 1) await api(person.token).post(`/tasks/${id}/archive`);
  }
  await createMeeting(people.lead, project.id, {
    recurrence: 'FREQ=DAILY',
    participantIds: [people.lead.userId],
  });
  const session = await openFilledSession(people.lead, { projectId: project.id });
  await api(people.lead.token).post(`/chunked-upload/complete/${session}`);
  return project;
}
