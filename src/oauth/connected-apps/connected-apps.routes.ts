import { type Route, route } from '../../kernel/http/route.ts';
import { createApiKey, listConnectedApps, revokeConnectedApp } from './connected-apps.ts';

export const connectedAppRoutes: readonly Route[] = [
  route('GET', '/connected-apps', listConnectedApps),
  route('POST', '/connected-apps/api-keys', createApiKey, { status: 201 }),
  route('DELETE', '/connected-apps/:id', revokeConnectedApp),
];
