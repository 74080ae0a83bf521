import { toWallClock } from '../../../src/kernel/dates/civil.ts';
import { createWorld, type World } from '../../support/world.ts';
import { Screens } from './screens.ts';

export const TIMEZONE = 'Europe/Vienna';

export interface Studio {
  world: World;
  lead: Screens;
  member: Screens;
  /** The civil date there. */
  today: string;
}

/** A workspace with a clock of its own, and two people in front of it. */
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
