import type { RequestScope } from '../kernel/operation/request-scope.ts';
import { deleteUnusedClients } from './clients/clients.queries.ts';
import { deleteOldCodes } from './consent/codes.queries.ts';
import { deleteExpiredConsentRequests } from './consent/consent-requests.queries.ts';

export const CLEAN_OAUTH_COST = 3;

export async function cleanOauth({ directory, now }: Pick<RequestScope, 'directory' | 'now'>): Promise<void> {
  await directory.batch([deleteUnusedClients(now), deleteExpiredConsentRequests(now), deleteOldCodes(now)]);
}
