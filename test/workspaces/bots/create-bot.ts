import { createBotKey } from '../../../src/workspaces/bots/bot-keys.ts';
import { createBot } from '../../../src/workspaces/bots/bots.ts';
import { runForm } from '../../support/forms.ts';
import type { Person } from '../../support/world.ts';

export async function createBotAndKey(by: Person, fields: Record<string, unknown> = {}) {
  const { body, status } = await runForm(by.token, createBot, {
    name: 'Release bot',
    icon: 'rocket',
    ...fields,
  });
  if (status !== 200) throw new Error(`createBot returned ${status}: ${JSON.stringify(body)}`);
  const { body: made } = await runForm(by.token, createBotKey, { id: body.id, name: 'CI' });
  return { id: body.id as string, key: made.key as string, keyId: made.id as number };
}
