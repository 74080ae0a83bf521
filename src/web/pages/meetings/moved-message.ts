import type * as z from 'zod';
import { shorten } from '../../../kernel/text/shorten.ts';
import type { moveMeeting } from '../../../meetings/operations/move-meeting.ts';
import { formatLongDate } from '../../components/time.tsx';
import type { FlashMessage } from '../../page-model/page.ts';

const CONFLICTS_SHOWN_MAX = 3;
const NAME_CHARACTERS_MAX = 60;

export function buildMovedMessage({
  meeting,
  was,
  clashes,
}: z.output<typeof moveMeeting.output>): FlashMessage | null {
  if (was === null) return null;
  const message = `Moved to ${formatLongDate(meeting.date)}, ${meeting.time}.`;
  const conflicts = clashes
    .slice(0, CONFLICTS_SHOWN_MAX)
    .map(({ name, text }) => `${shorten(name, NAME_CHARACTERS_MAX)} (${shorten(text, NAME_CHARACTERS_MAX)})`);
  const others = clashes.length - conflicts.length;
  const list = [...conflicts, ...(others > 0 ? [`${others} more`] : [])].join(', ');
  return {
    text: conflicts.length > 0 ? `${message} Conflicts: ${list}.` : message,
    undo: { path: `/meetings/${meeting.id}`, fields: was },
  };
}
