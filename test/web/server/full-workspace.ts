import { updateLabel } from '../../../src/tasks/labels/labels.ts';
import { saveFilter } from '../../../src/tasks/saved-filters/saved-filters.ts';
import { renameAsApp } from '../../app-activity/connect-app.ts';
import { insertExport } from '../../exports/prepare-export.ts';
import { confirmUpload, presignAndUpload } from '../../files/attachments/presigning.ts';
import { prepareImport } from '../../imports/prepare-import.ts';
import { callTool, createOAuthToken } from '../../mcp/client.ts';
import { createForm, createLink } from '../../sharing/share.ts';
import { api } from '../../support/api.ts';
import { addFieldsToProject, createField } from '../../support/custom-fields.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import {
  createApiKey,
  createMeeting,
  createTask,
  createTeam,
  createWorld,
  type World,
} from '../../support/world.ts';
import { createProjectTemplate, createTemplate } from '../../templates/create-template.ts';
import { insertWebhook } from '../../webhooks/operations/insert-webhook.ts';
import { createBotAndKey } from '../../workspaces/bots/create-bot.ts';
import { WorkspaceBrowser } from './workspace-browser.ts';

/** A workspace with data for every page, and its owner's browser. */
export interface FullWorkspace {
  readonly world: World;
  readonly owner: WorkspaceBrowser;
  /** Ids by the names of path parameters. */
  readonly idsByParameter: Readonly<Record<string, number | string>>;
}

/** Creates data for every page, including a task that is renamed to `taskName`. */
export async function createFullWorkspace(taskName: string): Promise<FullWorkspace> {
  const world = await createWorld({ cell: 1 });
  const { people, projects } = world;
  const session = api(people.member.token);
  const owner = await WorkspaceBrowser.signIn(world, people.owner);
  await getCell(1)
    .prepare('INSERT INTO project_members (project, member) VALUES (?, ?)')
    .bind(projects.joined.id, people.owner.member)
    .run();
  const { id: task } = await createTask(people.member, projects.joined.id, {
    assigneeId: people.owner.userId,
    deadline: new Date().toISOString().slice(0, 10),
    description: '<p>x</p>',
    categoryId: world.categories[0].id,
    typeId: world.categories[0].typeId,
    tags: ['x'],
  });
  await runForm(people.owner.token, updateLabel, { label: 'x', color: '#dc2626', description: 'x' });
  await session.patch(`/tasks/${task}`, { name: taskName });
  const { body: comment } = await session.post(`/tasks/${task}/comments`, {
    content: `@[${people.owner.userId}] x`,
  });
  await session.put(`/tasks/${task}/comments/${comment.id}/reactions/heart`);
  await api(people.owner.token).put(`/tasks/${task}/comments/${comment.id}/reactions/eyes`);
  await api(people.owner.token).post(`/tasks/${task}/comments`, { content: 'x' });
  await api(people.owner.token).post(`/tasks/${task}/checklist/items`, { text: 'x' });
  await api(people.owner.token).put(`/tasks/${task}/reminders`, { items: [{ minutesBefore: 30 }] });
  await api(people.owner.token).put(`/tasks/${task}/recurrence`, { rule: 'FREQ=DAILY', mode: 'completion' });
  await addFieldsToProject(world, projects.joined.id, [
    await createField(world, 'select'),
    await createField(world, 'text'),
  ]);
  const other = await createTask(people.member, projects.joined.id);
  await session.post(`/tasks/${task}/relations`, { type: 'blocks', taskId: other.id });
  const file = await confirmUpload(people.member, task, {
    s3Key: await presignAndUpload(people.member, task),
  });
  const { id: meeting } = await createMeeting(people.lead, projects.joined.id, {
    description: '<p>x</p>',
    location: 'x',
    meetingLink: 'https://meet.example.com/x',
    date: new Date().toISOString().slice(0, 10),
    participantIds: [people.lead.userId, people.owner.userId],
  });
  await createTeam(world, { lead: people.lead, members: [people.member] });
  await createApiKey(people.owner);
  await api(people.owner.token).post('/timer/start', { taskId: task });
  await api(people.owner.token).post('/timer/stop');
  await api(people.owner.token).post('/timer/start', { taskId: task });
  await owner.send('/people', '/people/invitations', { email: 'x@example.com', role: 'member' });
  const webhook = await insertWebhook(world, people.owner, 'x');
  await getCell(1)
    .prepare(
      "INSERT INTO webhook_deliveries (ws, webhook, slot, no, message, status, error, answer, ms, attempted_at) VALUES (?, ?, 1, 1, 'msg', 500, 'x', 'x', 5, ?)",
    )
    .bind(world.no, webhook, Date.now())
    .run();
  const filters = {
    owner: { isShared: true },
    member: { isShared: true },
    lead: { isShared: false },
  } as const;
  for (const [role, shared] of Object.entries(filters)) {
    const { token } = people[role as keyof typeof filters];
    await runForm(token, saveFilter, { name: 'x', q: 'x', assignee: 'me', ...shared });
  }
  const filter = await getCell(1)
    .prepare('SELECT id FROM saved_filters WHERE ws = ? AND member = ?')
    .bind(world.no, people.owner.member)
    .first<number>('id');
  const token = await createOAuthToken(world, people.owner);
  const { changeSet } = await callTool(token, 'begin_changes', { title: 'x' });
  await callTool(token, 'update_task', { updates: [{ id: task, name: 'x' }] });
  await callTool(token, 'add_comment', { taskId: task, content: 'x' });
  await callTool(token, 'propose_changes', { reason: 'x' });
  const { app } = await renameAsApp(world, people.owner);
  const { id: bot } = await createBotAndKey(people.owner);
  await createLink(people.owner, { projectId: projects.joined.id });
  await createForm(people.owner, projects.joined.id, { greeting: 'x', tag: 'x' });
  const publicFilter = await runForm(people.owner.token, saveFilter, { name: 'x', tag: 'x', isShared: true });
  const idsByParameter = {
    app,
    bot,
    changeSet: changeSet as number,
    project: projects.joined.id,
    task,
    meeting,
    webhook,
    id: webhook,
    file: file.body.id,
    filter: Number(filter),
    /** A filter that can have public links, and a project without an intake form. */
    publicFilter: publicFilter.body.id as number,
    otherProject: projects.other.id,
    import: await prepareImport(world, people.owner, projects.joined.id, 'ID,Task,Status\n1,x,x\n1,x,x'),
    export: await insertExport(world, people.owner, { status: 'completed' }),
    template: await createTemplate(people.owner, projects.joined.id),
    projectTemplate: await createProjectTemplate(world),
  };
  return { world, owner, idsByParameter };
}
