import { type Route, route } from '../../kernel/http/route.ts';
import { listWorkspaces, switchWorkspace } from './workspaces.ts';

export const workspaceRoutes: readonly Route[] = [
  route('GET', '/workspaces', listWorkspaces),
  route('POST', '/workspaces/:id/switch', switchWorkspace),
];
