import type * as z from 'zod';
import { type Capability, reachOf } from '../../../kernel/access/capabilities.ts';
import type { stepsTaken } from '../../../workspaces/settings/first-steps.ts';
import { useVisit } from '../../components/context.ts';
import { Icon } from '../../components/icon.tsx';
import type { IconName } from '../../components/icon-names.ts';

type Taken = z.infer<typeof stepsTaken>;

interface Step {
  readonly name: keyof Taken;
  /** Within the workspace, or from the root where it begins with `//`. */
  readonly path: string;
  readonly icon: IconName;
  readonly label: string;
  readonly why: string;
  readonly capability: Capability;
}

const steps: readonly Step[] = [
  {
    name: 'project',
    path: '/projects/new',
    icon: 'folder-kanban',
    label: 'Make a project',
    why: 'A board for its tasks.',
    capability: 'createProjects',
  },
  {
    name: 'people',
    path: '/people',
    icon: 'users',
    label: 'Invite people',
    why: 'They get a mail with a link.',
    capability: 'invitePeople',
  },
  {
    name: 'timezone',
    path: '/settings',
    icon: 'clock',
    label: 'Set your time zone',
    why: 'It decides when a day begins.',
    capability: 'changeWorkspace',
  },
  {
    name: 'agent',
    path: '//docs/agents',
    icon: 'message-square',
    label: 'Connect an agent',
    why: 'Within what you allow it.',
    capability: 'manageOwn',
  },
  {
    name: 'key',
    path: '//connected-apps',
    icon: 'key-round',
    label: 'Make an API key',
    why: 'For programs of your own.',
    capability: 'manageOwn',
  },
];

/** What somebody may begin with, as long as a step is left. */
export function FirstSteps({ taken }: { taken: Taken }) {
  const { base, caller } = useVisit();
  const offered = steps.filter(({ capability }) => reachOf(caller, capability) !== 'none');
  if (offered.every(({ name }) => taken[name])) return null;
  return (
    <section class="group column-page" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ul class="rows panel steps">
        {offered.map(({ name, path, icon, label, why }) => (
          <li class={taken[name] ? 'done' : undefined}>
            <Icon name={taken[name] ? 'check' : icon} />
            <a class="row-name" href={path.startsWith('//') ? path.slice(1) : base + path}>
              {label}
            </a>
            <span class="row-fact">{taken[name] ? 'Done' : why}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
