import type { DirectoryJob } from '../kernel/operation/jobs.ts';
import { deleteUnusedClients } from './clients/clients.queries.ts';
import { deleteOldCodes } from './consent/codes.queries.ts';
import { deleteExpiredConsentRequests } from './consent/consent-requests.queries.ts';

export const cleanOauth: DirectoryJob = {
  name: 'oauth.clean',
  cost: 3,
  run: ({ directory, now }) =>
    directory
      .batch([deleteUnusedClients(now), deleteExpiredConsentRequests(now), deleteOldCodes(now)])
      .then(() => false),
};
