import { toWallClock } from '../../../src/kernel/dates/civil-date.ts';
import { createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from './workspace-browser.ts';

export const TIMEZONE = 'Europe/Vienna';

export interface Studio {
  world: World;
  lead: WorkspaceBrowser;
  member: WorkspaceBrowser;
  /** The current date in the workspace's time zone. */
  today: string;
}

/** Creates a workspace in the time zone of Vienna, with the browsers of two people. */
export async function createStudio(): Promise<Studio> {
  const world = await createWorld({ cell: 1 });
  const owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  await owner.send('/settings', '/settings', { name: 'Studio', timezone: TIMEZONE, dailyCapacityHours: '8' });
  const [lead, member] = await Promise.all([
    WorkspaceBrowser.signIn(world, world.people.lead),
    WorkspaceBrowser.signIn(world, world.people.member),
  ]);
  return { world, lead, member, today: toWallClock(Date.now(), TIMEZONE).date };
}
