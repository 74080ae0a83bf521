import type * as z from 'zod';
import { fingerprint } from '../../../kernel/operation/as-shown.ts';
import type { understoodTask } from '../../../tasks/quick-add/quick-add.schema.ts';

type Understood = z.output<typeof understoodTask>;

/** The field beside the text, in which the page says what it showed of it. */
export const UNDERSTOOD = 'understood';

/** What was shown for a text, as fingerprints of both. */
export function shownMeaning(understood: Understood, fields: URLSearchParams): string {
  return `${printOfText(fields)}.${printOfMeaning(understood)}`;
}

/** Whether a text means what was shown for it. Somebody who sends it before it is shown knows what they typed. */
export function isAsShown(understood: Understood, fields: URLSearchParams): boolean {
  const [text, meaning] = (fields.get(UNDERSTOOD) ?? '').split('.');
  return text !== printOfText(fields) || meaning === printOfMeaning(understood);
}

function printOfText(fields: URLSearchParams): string {
  return fingerprint([fields.get('name') ?? '', fields.get('projectId') ?? '']);
}

function printOfMeaning({ name, assignee, project, deadline, priority }: Understood): string {
  return fingerprint([name, assignee?.id, project?.id, deadline, priority]);
}
