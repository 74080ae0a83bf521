import type * as z from 'zod';
import { shorten } from '../../../kernel/text/shorten.ts';
import type { moveMeeting } from '../../../meetings/operations/move-meeting.ts';
import { longDate } from '../../components/time.tsx';
import type { FlashMessage } from '../../page-model/page.ts';

/** What is said stands in a cookie, which holds 4 KB. */
const CLASHES_SAID_MAX = 3;
const CHARACTERS_MAX = 60;

/** Says where the meeting is now and who has another one then, with the way back. */
export function sayMoved({
  meeting,
  was,
  clashes,
}: z.output<typeof moveMeeting.output>): FlashMessage | null {
  if (was === null) return null;
  const said = `Moved to ${longDate(meeting.date)}, ${meeting.time}.`;
  const busy = clashes
    .slice(0, CLASHES_SAID_MAX)
    .map(({ name, text }) => `${shorten(name, CHARACTERS_MAX)} (${shorten(text, CHARACTERS_MAX)})`);
  const others = clashes.length - busy.length;
  const list = [...busy, ...(others > 0 ? [`${others} more`] : [])].join(', ');
  return {
    text: busy.length > 0 ? `${said} Busy then: ${list}.` : said,
    undo: { path: `/meetings/${meeting.id}`, fields: was },
  };
}
