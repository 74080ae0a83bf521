import { webhookMail } from '../email/templates.ts';
import type { Caller } from '../kernel/access.ts';
import type { RequestScope } from '../kernel/request-scope.ts';
import { queueMail } from './notice.queries.ts';

interface Trouble {
  id: number;
  url: string;
  /** Whether it stopped; else it will a day later. */
  hasEnded: boolean;
  error: string;
}

/** Tells whoever made the webhook that nobody takes what it sends. */
export async function tellCreator(scope: RequestScope, creator: Caller, trouble: Trouble): Promise<void> {
  const mail = webhookMail({ ...trouble, name: creator.name });
  await scope.directory.batch([queueMail(creator.email, mail, scope.now)]);
}
