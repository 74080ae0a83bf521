import { type Capability, capabilities, type Reach } from './capabilities.ts';
import type { Role } from './roles.ts';

const visibilityLimits: Partial<Record<Capability, Partial<Record<Reach, string>>>> = {
  seeProjects: { joined: 'only projects you are a member of' },
  seeTasks: { joined: 'only tasks in your projects, and tasks you follow or are assigned' },
  listMeetings: { joined: 'only meetings in projects you are a member of' },
  seeDashboard: {
    teams: "only your projects, your tasks and your teams' tasks on the dashboard",
    self: 'only your projects and your tasks on the dashboard',
    joined: 'only your projects on the dashboard',
  },
  seeDashboardComments: {
    teams: "only dashboard comments in your projects, on your tasks and on your teams' tasks",
    self: 'only dashboard comments in your projects and on your tasks',
    none: "no dashboard comments (get_task shows a task's comments)",
  },
  seeWorkload: {
    teams: "only your own and your teams' workload",
    self: 'only your own workload',
    none: 'no workload',
  },
  followEvents: { joined: 'only changes in your projects, and to tasks you follow or are assigned' },
};

export function buildPartialResultNote(role: Role, narrowed: ReadonlyMap<Capability, Reach>): string | null {
  const parts = [...narrowed].flatMap(([capability, reach]) => visibilityLimits[capability]?.[reach] ?? []);
  return parts.length > 0 ? `Partial result: your role is ${role}, so you see ${parts.join('; ')}.` : null;
}

export function listRoleLimits(role: Role): string[] {
  return Object.entries(visibilityLimits).flatMap(
    ([capability, byReach]) => byReach[capabilities[capability as Capability][role]] ?? [],
  );
}
