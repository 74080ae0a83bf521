import { parseEnv } from '../../../src/env.ts';
import { createRequestScope, type RequestScope } from '../../../src/kernel/operation/request-scope.ts';
import { CreatorCache } from '../../../src/webhooks/delivery/creators.ts';
import { WebhookDispatcher } from '../../../src/webhooks/delivery/dispatcher.ts';
import type { BatchStore } from '../../../src/webhooks/delivery/webhook-queue.ts';
import { api, meteredEnv } from '../../support/api.ts';
import type { Person, Workspace } from '../../support/world.ts';

/** With these bindings, nothing wakes the sender, so the test decides when to send. */
export const silentBindings = {
  WORKSPACE_HUB: {
    getByName: () => ({ wake: async () => undefined, sendWebhooks: async () => undefined }),
  } as unknown as Env['WORKSPACE_HUB'],
};

export async function createTaskWithoutDelivery(person: Person, projectId: number) {
  const answer = await api(person.token, silentBindings).post('/tasks', { projectId, name: 'A task' });
  if (answer.status !== 201) throw new Error(`POST /tasks returned ${answer.status}: ${answer.text}`);
}

/** Replaces the Durable Object's storage, which outlives the object in memory. */
export function createBatchStore(): BatchStore {
  const kept = new Map<number, { from: number; to: number }>();
  return {
    get: (webhook) => kept.get(webhook) ?? null,
    put: (webhook, batch) => void kept.set(webhook, batch),
  };
}

/** @param onOpen is called with each scope, so that a test can read its cost. */
export function createDispatcher(
  { cell, no }: Pick<Workspace, 'cell' | 'no'>,
  batches: BatchStore,
  bindings: Partial<Env> = {},
  onOpen: (scope: RequestScope) => void = () => undefined,
): WebhookDispatcher {
  const env = { ...meteredEnv, ...bindings };
  const openScope = () => {
    const scope = createRequestScope({
      env,
      config: parseEnv(env),
      origin: 'http://localhost',
      waitUntil: (work) => void work,
    });
    onOpen(scope);
    return scope;
  };
  return new WebhookDispatcher({
    getWorkspaceKey: () => ({ cell, workspace: no }),
    open: openScope,
    batches,
    creators: new CreatorCache(),
    savesIdleCursors: () => false,
  });
}
