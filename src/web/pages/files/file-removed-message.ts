import { shorten } from '../../../kernel/text/shorten.ts';
import type { FlashMessage } from '../../page-model/page.ts';

/** Flash messages are stored in a cookie, which can hold 4 KB. */
const FILE_NAME_CHARACTERS_MAX = 60;

export function buildFileRemovedMessage(parentPath: string, fields: URLSearchParams): FlashMessage {
  const name = shorten(fields.get('fileName') ?? 'File', FILE_NAME_CHARACTERS_MAX);
  const path = `${parentPath}/files/${fields.get('first')}/restore`;
  return { text: `${name} removed`, undo: { path, fields: {} } };
}
