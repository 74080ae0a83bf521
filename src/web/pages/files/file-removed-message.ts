import { shorten } from '../../../kernel/text/shorten.ts';
import type { Done } from '../../page-model/page.ts';

/** The flash message is kept in a cookie, which holds 4 KB. */
const CHARACTERS_MAX = 60;

/** @param own address of the task or project */
export function toFileRemovedMessage(own: string, fields: URLSearchParams): Done {
  const name = shorten(fields.get('fileName') ?? 'File', CHARACTERS_MAX);
  const path = `${own}/files/${fields.get('first')}/restore`;
  return { said: `${name} removed`, undo: { path, fields: {} } };
}
