import { parseEnv } from '../../../src/env.ts';
import { createRequestScope, type RequestScope } from '../../../src/kernel/operation/request-scope.ts';
import { Creators } from '../../../src/webhooks/delivery/creator.ts';
import { Dispatcher } from '../../../src/webhooks/delivery/dispatcher.ts';
import type { BatchMemory } from '../../../src/webhooks/delivery/line.ts';
import { api, meteredEnv } from '../../support/api.ts';
import type { Person, Workspace } from '../../support/world.ts';

/** Bindings under which nobody is woken: a test then decides when something is sent. */
export const silently = {
  WORKSPACE_HUB: {
    getByName: () => ({ wake: async () => undefined, sendWebhooks: async () => undefined }),
  } as unknown as Env['WORKSPACE_HUB'],
};

export async function taskSilently(person: Person, projectId: number) {
  const answer = await api(person.token, silently).post('/tasks', { projectId, name: 'A task' });
  if (answer.status !== 201) throw new Error(`POST /tasks answered ${answer.status}: ${answer.text}`);
}

/** What a workspace's object keeps in its storage, which outlives the object. */
export function storedBatches(): BatchMemory {
  const kept = new Map<number, { from: number; to: number }>();
  return {
    get: (webhook) => kept.get(webhook) ?? null,
    put: (webhook, batch) => void kept.set(webhook, batch),
  };
}

/**
 * One life of the sender, with the bindings that a test gives it.
 * @param onOpen gets each scope that it works in, and so what that costs.
 */
export function lifeOf(
  { cell, no }: Pick<Workspace, 'cell' | 'no'>,
  batches: BatchMemory,
  bindings: Partial<Env> = {},
  onOpen: (scope: RequestScope) => void = () => undefined,
): Dispatcher {
  const env = { ...meteredEnv, ...bindings };
  const open = () => {
    const scope = createRequestScope({
      env,
      config: parseEnv(env),
      origin: 'http://localhost',
      waitUntil: (work) => void work,
    });
    onOpen(scope);
    return scope;
  };
  return new Dispatcher({
    place: () => ({ cell, workspace: no }),
    open,
    batches,
    creators: new Creators(),
    settles: () => false,
  });
}
