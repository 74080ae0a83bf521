import type { Role } from './access.ts';
import { type Capability, capabilities, type Reach } from './capabilities.ts';

/** What a role sees where it does not see all, for results that would else look complete. */
const sentences: Partial<Record<Capability, Partial<Record<Reach, string>>>> = {
  seeProjects: { joined: 'only projects that you joined' },
  seeTasks: { joined: 'only tasks of your projects, and those you follow or are assigned' },
  listMeetings: { joined: 'only meetings of projects that you joined' },
  seeDashboard: {
    teams: 'on the dashboard only your projects, your tasks and those of your teams',
    self: 'on the dashboard only your projects and your tasks',
    joined: 'on the dashboard only your projects',
  },
  seeDashboardComments: {
    teams: 'there only comments in your projects, and on tasks of yours and your teams',
    self: 'there only comments in your projects and on your tasks',
    none: 'no comments there; get_task shows those of a task',
  },
  seeWorkload: {
    teams: 'only the workload of yourself and your teams',
    self: 'only your own workload',
    none: 'no workload',
  },
  followEvents: { joined: 'only changes of what you may see' },
};

/** One sentence for the reader of a result; null where the role saw everything. */
export function narrowingNote(role: Role, narrowed: ReadonlyMap<Capability, Reach>): string | null {
  const parts = [...narrowed].flatMap(([capability, reach]) => sentences[capability]?.[reach] ?? []);
  return parts.length > 0 ? `Not everything: as ${role} you see ${parts.join('; ')}.` : null;
}

/** Everything that a role sees only a part of. */
export function limitsOf(role: Role): string[] {
  return Object.entries(sentences).flatMap(
    ([capability, byReach]) => byReach[capabilities[capability as Capability][role]] ?? [],
  );
}
