import { defineRoute, type Route } from '../../kernel/http/route.ts';
import { listWorkspaces, switchWorkspace } from './workspaces.ts';

export const workspaceRoutes: readonly Route[] = [
  defineRoute('GET', '/workspaces', listWorkspaces),
  defineRoute('POST', '/workspaces/:id/switch', switchWorkspace),
];
