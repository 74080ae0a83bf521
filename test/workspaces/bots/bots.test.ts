import { beforeAll, describe, expect, it } from 'vitest';
import { undoAppSession } from '../../../src/app-activity/undo-session.ts';
import { handOverProject } from '../../../src/projects/operations/change-projects.ts';
import { createBotKey, revokeBotKey } from '../../../src/workspaces/bots/bot-keys.ts';
import { createBot, getBot, listBots, updateBot } from '../../../src/workspaces/bots/bots.ts';
import { changeRole, handOverWorkspace } from '../../../src/workspaces/people/change-role.ts';
import { removePerson } from '../../../src/workspaces/people/remove-person.ts';
import { setTeamMember } from '../../../src/workspaces/teams/team-people.ts';
import { readAuditEntries, readLastAuditId } from '../../audit/audit-entries.ts';
import { api } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import {
  addPerson,
  createTask,
  createTeam,
  createWorld,
  type Person,
  type World,
} from '../../support/world.ts';
import { createBotAndKey } from './create-bot.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = world.people.owner;
});

const getBotAs = async (by: Person, id: string) => (await runForm(by.token, getBot, { id })).body;

describe('a bot', () => {
  it('acts under its own name, with its own role and key', async () => {
    const bot = await createBotAndKey(owner, { role: 'client' });
    expect((await api(bot.key).get('/me')).body).toMatchObject({
      id: bot.id,
      name: 'Release bot',
      role: 'client',
    });
    expect((await api(bot.key).get(`/projects/${world.projects.joined.id}`)).status).toBe(404);
    await runForm(owner.token, changeRole, { userId: bot.id, role: 'member' });
    const { id } = await createTask({ token: bot.key } as Person, world.projects.joined.id, {
      name: 'By the bot',
    });
    const { body } = await api(owner.token).get(`/tasks/${id}/activities`);
    expect(body.data[0]).toMatchObject({ actor: { id: bot.id, name: 'Release bot' }, via: 'api_key' });
  });

  it("can be assigned tasks, but can't join meetings or teams, lead projects or own the workspace", async () => {
    const bot = await createBotAndKey(owner);
    const { id, projects } = { id: bot.id, projects: world.projects };
    const task = await createTask(owner, projects.joined.id, { assigneeId: id });
    expect(task.assignee).toMatchObject({ id });
    const team = await createTeam(world, { lead: world.people.lead, members: [] });
    const meeting = {
      name: 'Review',
      projectId: projects.joined.id,
      date: '2027-01-05',
      time: '09:00',
      participantIds: [id],
    };
    expect(
      (
        await api(world.people.lead.token).post('/meetings', {
          ...meeting,
          duration: { days: 0, hours: 1, minutes: 0 },
        })
      ).status,
    ).toBe(400);
    expect((await runForm(owner.token, setTeamMember, { id: team, userId: id, role: 'member' })).status).toBe(
      400,
    );
    expect((await runForm(owner.token, handOverProject, { id: projects.other.id, userId: id })).status).toBe(
      400,
    );
    expect((await runForm(owner.token, handOverWorkspace, { userId: id })).status).toBe(400);
    const { body } = await api(owner.token).get('/dashboard/workload');
    expect(body.workloads.map(({ user }: { user: { id: string } }) => user.id)).not.toContain(id);
  });

  it('has no account, so no one can sign in as the bot, and no email is sent to it', async () => {
    const bot = await createBotAndKey(owner);
    expect(await env.DIRECTORY.prepare('SELECT 1 FROM users WHERE id = ?').bind(bot.id).first()).toBeNull();
    expect((await getBotAs(owner, bot.id)).accountable).toEqual({ id: owner.userId, name: owner.name });
    const outbox = 'SELECT count(*) AS n FROM outbox WHERE recipient LIKE ?';
    expect(await env.DIRECTORY.prepare(outbox).bind('%bots.invalid').first('n')).toBe(0);
  });

  it('can be managed by owners and admins, and its keys can also be revoked by the person accountable for it', async () => {
    const bot = await createBotAndKey(owner);
    const { lead, member, client } = world.people;
    for (const person of [lead, member, client]) {
      expect((await runForm(person.token, createBot, { name: 'Other' })).status).toBe(403);
      expect((await runForm(person.token, updateBot, { id: bot.id, name: 'Other' })).status).toBe(403);
      expect((await runForm(person.token, createBotKey, { id: bot.id, name: 'Other' })).status).toBe(403);
      expect((await runForm(person.token, revokeBotKey, { id: bot.id, keyId: bot.keyId })).status).toBe(403);
      expect((await getBotAs(person, bot.id)).credentials).toBeNull();
    }
    const { status } = await runForm(owner.token, updateBot, {
      id: bot.id,
      name: 'Deploy bot',
      accountableId: lead.userId,
    });
    expect(status).toBe(200);
    expect(await getBotAs(lead, bot.id)).toMatchObject({
      name: 'Deploy bot',
      accountable: { id: lead.userId },
      credentials: [{ name: 'CI', status: 'active' }],
    });
    await runForm(lead.token, revokeBotKey, { id: bot.id, keyId: bot.keyId });
    expect((await api(bot.key).get('/me')).status).toBe(401);
    for (const accountableId of [client.userId, bot.id, 'usr_unknown'])
      expect((await runForm(owner.token, updateBot, { id: bot.id, accountableId })).status).toBe(400);
  });

  it('can be an admin, but not an owner', async () => {
    const { admin } = world.people;
    expect((await runForm(owner.token, createBot, { name: 'Root', role: 'owner' })).status).toBe(400);
    const bot = await createBotAndKey(admin, { role: 'admin' });
    expect((await api(bot.key).get('/me')).body.role).toBe('admin');
  });

  it('is assigned another accountable person when the current one leaves, and has no access once it is removed', async () => {
    const leaver = await addPerson(world, 'leaver', 'admin');
    const bot = await createBotAndKey(leaver);
    await runForm(owner.token, removePerson, { userId: leaver.userId, heirId: world.people.admin.userId });
    expect((await getBotAs(owner, bot.id)).accountable.id).toBe(world.people.admin.userId);
    expect((await api(bot.key).get('/me')).status).toBe(200);
    await runForm(owner.token, removePerson, { userId: bot.id });
    expect((await api(bot.key).get('/me')).status).toBe(401);
    const { body } = await runForm(owner.token, listBots, {});
    expect(body.data.map(({ id }: { id: string }) => id)).not.toContain(bot.id);
  });

  it('has the first owner as its accountable person if the stored one is no longer a member', async () => {
    const bot = await createBotAndKey(owner);
    await getCell(world.cell)
      .prepare('UPDATE bots SET accountable = 999 WHERE member = (SELECT no FROM members WHERE user_id = ?)')
      .bind(bot.id)
      .run();
    expect((await getBotAs(owner, bot.id)).accountable.id).toBe(owner.userId);
  });

  it('has audit entries for its creation and its keys', async () => {
    const before = await readLastAuditId(world);
    const bot = await createBotAndKey(owner, { role: 'admin' });
    await api(bot.key).get('/audit');
    const entries = await readAuditEntries(world, before);
    expect(entries.map(({ type, subject_name }) => [type, subject_name])).toEqual([
      ['bot.created', 'Release bot'],
      ['api_key.created', 'CI'],
    ]);
  });

  it("lets admins undo its changes and comments, but not a lead who isn't accountable for it", async () => {
    const bot = await createBotAndKey(owner);
    const { id } = await createTask(owner, world.projects.joined.id, { name: 'Before' });
    await api(bot.key).patch(`/tasks/${id}`, { name: 'By the bot' });
    await api(bot.key).post(`/tasks/${id}/comments`, { content: 'Done' });
    expect((await runForm(world.people.lead.token, undoAppSession, { app: bot.keyId })).status).toBe(404);
    const { body } = await runForm(world.people.admin.token, undoAppSession, { app: bot.keyId });
    expect(body).toMatchObject({ undone: 2, kept: 0 });
    expect((await api(owner.token).get(`/tasks/${id}`)).body).toMatchObject({ name: 'Before', comments: [] });
  });
});
