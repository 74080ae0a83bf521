import type { AnyOperation } from '../../src/kernel/operation/operation.ts';
import { createIntakeForm, getIntakeForm } from '../../src/sharing/intake/intake-forms.ts';
import { createPublicLink, listPublicLinks } from '../../src/sharing/public-links/public-links.ts';
import { ORIGIN, send } from '../support/api.ts';
import { runForm } from '../support/forms.ts';
import { createIpAddress } from '../support/people.ts';
import type { Person } from '../support/world.ts';

type LinkInput = { projectId: number } | { filterId: number };

export async function requireForm(person: Person, operation: AnyOperation, input: Record<string, unknown>) {
  const answer = await runForm(person.token, operation, input);
  if (answer.status !== 200) throw new Error(`${operation.name}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Returns the link as it is listed. */
export async function createLink(person: Person, target: LinkInput, options: Record<string, unknown> = {}) {
  await requireForm(person, createPublicLink, { ...target, ...options });
  const { data } = await requireForm(person, listPublicLinks, { ...target });
  return data[0] as { id: number; address: string; lastUsedAt: string | null };
}

export async function createForm(person: Person, projectId: number, settings: Record<string, unknown> = {}) {
  await requireForm(person, createIntakeForm, { projectId, ...settings });
  const { form } = await requireForm(person, getIntakeForm, { projectId });
  return form as { address: string };
}

/** Opens a page as someone without a session. */
export async function visit(address: string, headers: Record<string, string> = {}) {
  const request = new Request(new URL(address, ORIGIN), {
    headers: { Accept: 'text/html', 'CF-Connecting-IP': createIpAddress(), ...headers },
  });
  const answer = await send(request, { EXPOSE_COST: 'true' });
  const html = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    html,
    /** What visitors read, without markup. */
    text: html
      .replaceAll(/<head>.*?<\/head>/gs, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' '),
  };
}
