import { beforeAll, expect, it } from 'vitest';
import { notificationTypes } from '../../../src/notifications/inbox/notifications.schema.ts';
import { createEmailAddress } from '../../support/people.ts';
import { createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from './workspace-browser.ts';

let world: World;
let owner: WorkspaceBrowser;

beforeAll(async () => {
  world = await createWorld({ cell: 1 });
  owner = await WorkspaceBrowser.signIn(world, world.people.owner);
});

async function readFlashMessage(page: string): Promise<string> {
  const { html } = await owner.open(page);
  return /<div id="flash-message"[^>]*>([^<]*)/.exec(html)?.[1] ?? '';
}

it('a form that redirects to its own page shows a confirmation', async () => {
  const settings = { name: 'Studio', timezone: 'Europe/Vienna', dailyCapacityHours: '8' };
  expect((await owner.send('/settings', '/settings', settings)).status).toBe(303);
  expect(await readFlashMessage('/settings')).toBe('Workspace saved');
  const project = world.projects.joined.id;
  await owner.send(`/projects/${project}/settings`, `/projects/${project}`, { name: 'Called anew' });
  expect(await readFlashMessage(`/projects/${project}/settings`)).toBe('Project saved');
  const modes = Object.fromEntries(notificationTypes.map((type) => [type, 'off']));
  await owner.send('/inbox/mail', '/inbox/mail', modes);
  expect(await readFlashMessage('/inbox/mail')).toBe('Preferences saved');
});

it('a message confirms sent, resent and withdrawn invitations, but not invalid ones', async () => {
  const email = createEmailAddress();
  await owner.send('/people', '/people/invitations', { email, role: 'member' });
  const { html } = await owner.open('/people');
  expect(html).toContain(`Invitation sent to ${email}`);
  const id = /\/people\/invitations\/([^/"]+)\/resend/.exec(html)?.[1] ?? '';
  await owner.send('/people', `/people/invitations/${id}/resend`);
  expect(await readFlashMessage('/people')).toBe('Invitation sent again');
  await owner.send('/people', `/people/invitations/${id}/withdraw`);
  expect(await readFlashMessage('/people')).toBe('Invitation withdrawn');
  expect(
    (await owner.send('/people', '/people/invitations', { email: 'not-an-address', role: 'member' })).status,
  ).toBe(400);
  expect(await readFlashMessage('/people')).toBe('');
});

it('an invalid estimate is rejected with a message that names the allowed hours', async () => {
  const fields = { projectId: String(world.projects.joined.id), name: 'Guessed', customEstimatedHours: '-4' };
  const { status, html } = await owner.send('/tasks/new', '/tasks/new', fields);
  expect(status).toBe(400);
  expect(html).toContain('Must be decimal hours from 0 to 9999.99.');
});
