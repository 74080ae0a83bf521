import { toWallClock } from '../../../src/kernel/dates/civil-date.ts';
import { createWorld, type World } from '../../support/world.ts';
import { Screens } from './screens.ts';

export const TIMEZONE = 'Europe/Vienna';

export interface Studio {
  world: World;
  lead: Screens;
  member: Screens;
  /** The current date in the workspace's time zone. */
  today: string;
}

/** Creates a workspace in another time zone, and the browsers of two members. */
export async function createStudio(): Promise<Studio> {
  const world = await createWorld({ cell: 1 });
  const owner = await Screens.of(world, world.people.owner);
  await owner.send('/settings', '/settings', { name: 'Studio', timezone: TIMEZONE, dailyCapacityHours: '8' });
  const [lead, member] = await Promise.all([
    Screens.of(world, world.people.lead),
    Screens.of(world, world.people.member),
  ]);
  return { world, lead, member, today: toWallClock(Date.now(), TIMEZONE).date };
}
