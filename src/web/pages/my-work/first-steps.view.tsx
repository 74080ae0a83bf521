import type * as z from 'zod';
import { type Capability, getReach } from '../../../kernel/access/capabilities.ts';
import type { stepsTaken } from '../../../workspaces/settings/first-steps.ts';
import { useVisit } from '../../components/context.ts';
import { Icon } from '../../components/icon.tsx';
import type { IconName } from '../../components/icon-names.ts';

type CompletedSteps = z.infer<typeof stepsTaken>;

interface FirstStep {
  readonly name: keyof CompletedSteps;
  /** Relative to the workspace, or to the root if it starts with `//`. */
  readonly path: string;
  readonly icon: IconName;
  readonly label: string;
  readonly why: string;
  readonly capability: Capability;
}

const firstSteps: readonly FirstStep[] = [
  {
    name: 'project',
    path: '/projects/new',
    icon: 'folder-kanban',
    label: 'Create a project',
    why: 'Plan work on a board.',
    capability: 'createProjects',
  },
  {
    name: 'people',
    path: '/people',
    icon: 'users',
    label: 'Invite people',
    why: "They'll get an email with a link.",
    capability: 'invitePeople',
  },
  {
    name: 'timezone',
    path: '/settings',
    icon: 'clock',
    label: 'Set your time zone',
    why: 'Used for deadlines, meetings and workload.',
    capability: 'changeWorkspace',
  },
  {
    name: 'agent',
    path: '//docs/agents',
    icon: 'message-square',
    label: 'Connect an agent',
    why: 'You choose what it can do.',
    capability: 'manageOwn',
  },
  {
    name: 'key',
    path: '//connected-apps',
    icon: 'key-round',
    label: 'Create an API key',
    why: 'For your own scripts and tools.',
    capability: 'manageOwn',
  },
];

export function FirstSteps({ taken }: { taken: CompletedSteps }) {
  const { base, caller } = useVisit();
  const offered = firstSteps.filter(({ capability }) => getReach(caller, capability) !== 'none');
  if (offered.every(({ name }) => taken[name])) return null;
  return (
    <section class="group column-page" aria-labelledby="first-steps">
      <h2 id="first-steps">Get started</h2>
      <ul class="rows panel steps">
        {offered.map(({ name, path, icon, label, why }) => (
          <li class={taken[name] ? 'done' : undefined}>
            <Icon name={taken[name] ? 'check' : icon} />
            <a class="row-name" href={path.startsWith('//') ? path.slice(1) : base + path}>
              {label}
            </a>
            <span class="row-meta">{taken[name] ? 'Done' : why}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
