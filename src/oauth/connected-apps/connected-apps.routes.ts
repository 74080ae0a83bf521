import { defineRoute, type Route } from '../../kernel/http/route.ts';
import { createApiKey, listConnectedApps, revokeConnectedApp } from './connected-apps.ts';

export const connectedAppRoutes: readonly Route[] = [
  defineRoute('GET', '/connected-apps', listConnectedApps),
  defineRoute('POST', '/connected-apps/api-keys', createApiKey, { status: 201 }),
  defineRoute('DELETE', '/connected-apps/:id', revokeConnectedApp),
];
