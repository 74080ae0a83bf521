import { type Capability, getReach } from '../../kernel/access/capabilities.ts';
import { useVisit } from './context.ts';

interface Tab {
  readonly path: string;
  readonly label: string;
  readonly capability?: Capability;
}

const tabs: readonly Tab[] = [
  { path: '/settings', label: 'Workspace' },
  { path: '/categories', label: 'Categories' },
  { path: '/labels', label: 'Tags' },
  { path: '/fields', label: 'Fields' },
  { path: '/bots', label: 'Bots' },
  { path: '/webhooks', label: 'Webhooks', capability: 'manageWebhooks' },
  { path: '/audit', label: 'Audit log', capability: 'readAudit' },
  { path: '/trash', label: 'Trash', capability: 'deleteTasks' },
];

export function SettingsTabs() {
  const { base, address, caller } = useVisit();
  const [here = ''] = address.split('?');
  const isHere = (path: string) => here === base + path || here.startsWith(`${base + path}/`);
  return (
    <nav class="tabs" aria-label="Settings">
      {tabs
        .filter(({ capability }) => capability === undefined || getReach(caller, capability) !== 'none')
        .map(({ path, label }) => (
          <a href={base + path} aria-current={isHere(path) ? 'page' : undefined}>
            {label}
          </a>
        ))}
      <a href={`/connected-apps?workspace=${encodeURIComponent(caller.workspaceId)}`}>Connected apps</a>
    </nav>
  );
}
