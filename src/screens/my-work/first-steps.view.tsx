import { type Capability, reachOf } from '../../kernel/capabilities.ts';
import { useVisit } from '../../web/components/context.ts';
import { Icon } from '../../web/components/icon.tsx';
import type { IconName } from '../../web/components/icon-names.ts';

interface Step {
  /** Within the workspace, or from the root where it begins with `//`. */
  readonly path: string;
  readonly icon: IconName;
  readonly label: string;
  readonly why: string;
  readonly capability: Capability;
}

const steps: readonly Step[] = [
  {
    path: '/projects/new',
    icon: 'folder-kanban',
    label: 'Make a project',
    why: 'A board for its tasks.',
    capability: 'createProjects',
  },
  {
    path: '/people',
    icon: 'users',
    label: 'Invite people',
    why: 'They get a mail with a link.',
    capability: 'invitePeople',
  },
  {
    path: '/settings',
    icon: 'clock',
    label: 'Set your time zone',
    why: 'It decides when a day begins.',
    capability: 'changeWorkspace',
  },
  {
    path: '//docs/agents',
    icon: 'message-square',
    label: 'Connect an agent',
    why: 'Within what you allow it.',
    capability: 'manageOwn',
  },
  {
    path: '//connected-apps',
    icon: 'key-round',
    label: 'Make an API key',
    why: 'For programs of your own.',
    capability: 'manageOwn',
  },
];

/** What somebody may begin with, where nothing waits for them yet. */
export function FirstSteps() {
  const { base, caller } = useVisit();
  return (
    <section class="group column-page" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ul class="rows panel steps">
        {steps
          .filter(({ capability }) => reachOf(caller, capability) !== 'none')
          .map(({ path, icon, label, why }) => (
            <li>
              <Icon name={icon} />
              <a class="row-name" href={path.startsWith('//') ? path.slice(1) : base + path}>
                {label}
              </a>
              <span class="row-fact">{why}</span>
            </li>
          ))}
      </ul>
    </section>
  );
}
