import * as z from 'zod';
import { asciiText, plainText } from '../kernel/schema.ts';

/** What answers say of people; what is stored is never longer (registration, providers). */
export const personId = asciiText(64);
export const personName = plainText(100);
export const emailText = asciiText(254);
export const imageUrl = asciiText(500);
export const initialsText = plainText(300);
export const workspaceId = asciiText(64);
export const workspaceName = plainText(200);
export const projectName = z.string().max(200);
export const TASK_NAME_CHARACTERS_MAX = 600;
/** A copy adds to the name of its original (tasks.policy), so that it may be longer than the input allows. */
export const taskName = z.string().max(TASK_NAME_CHARACTERS_MAX);
/** Keys, values and labels of the reference collections. */
export const referenceText = z.string().max(100);
export const colorText = asciiText(20);

/** A person as other resources mention them. */
export const personSummary = z
  .object({
    id: personId,
    name: personName,
    email: emailText,
  })
  .meta({ id: 'PersonSummary', example: { id: 'usr_5TbQm', name: 'Mira Holt', email: 'mira@example.com' } });
export type PersonSummary = z.infer<typeof personSummary>;
