import { type Capability, getReach } from '../../kernel/access/capabilities.ts';
import { useVisit } from './context.ts';

interface SettingsPage {
  readonly path: string;
  readonly label: string;
  readonly capability?: Capability;
}

const workspacePages: readonly SettingsPage[] = [
  { path: '/settings', label: 'Workspace' },
  { path: '/categories', label: 'Categories and types' },
  { path: '/labels', label: 'Tags' },
  { path: '/fields', label: 'Custom fields' },
  { path: '/bots', label: 'Bots' },
  { path: '/webhooks', label: 'Webhooks', capability: 'manageWebhooks' },
  { path: '/audit', label: 'Audit log', capability: 'readAudit' },
  { path: '/exports', label: 'Export', capability: 'exportWorkspace' },
  { path: '/trash', label: 'Trash', capability: 'deleteTasks' },
];

export const accountPages: readonly SettingsPage[] = [
  { path: '/account', label: 'Your account' },
  { path: '/app/workspaces', label: 'Workspaces' },
  { path: '/connected-apps', label: 'Connected apps' },
  { path: '/account/apps', label: 'Your apps' },
];

export function SettingsNavigation() {
  const { base, address, caller } = useVisit();
  const [here = ''] = address.split('?');
  const isCurrentPage = (path: string) => here === base + path || here.startsWith(`${base + path}/`);
  return (
    <nav class="settings-navigation" aria-label="Settings">
      {workspacePages
        .filter(({ capability }) => capability === undefined || getReach(caller, capability) !== 'none')
        .map(({ path, label }) => (
          <a href={base + path} aria-current={isCurrentPage(path) ? 'page' : undefined}>
            {label}
          </a>
        ))}
      <a href={`/connected-apps?workspace=${encodeURIComponent(caller.workspaceId)}`}>Connected apps</a>
      <a href="/account">Your account</a>
    </nav>
  );
}
