// `npm run mails`: mails that did not go out, with why. `npm run mails -- again [id]`: sends again what was given up, all of
// it or one; the cron does it within a minute. On this machine `again` wants the server stopped.
// -- --remote for production; -- --persist-to=<directory> for the databases of another local server.
import { listUnsentMails, sendGivenUpAgain } from '../src/upkeep/incidents/unsent-mails.queries.ts';
import { changeDatabases, lookAtDatabases, readCommand, refuse } from './operator.ts';

const SHOWN_MAX = 100;
const { words, ...where } = readCommand();
const [verb, id] = words;
if (words.length === 0) {
  await lookAtDatabases(where, async ({ directory }) => {
    const [mails] = await directory.batch([listUnsentMails(SHOWN_MAX)]);
    for (const { id, recipient, subject, attempts, next_attempt_at: next, last_error } of mails) {
      const state = next === null ? 'given up' : `tried again at ${new Date(next).toISOString()}`;
      console.log(`${id}  ${recipient}  "${subject}"  ${state} (attempts: ${attempts})  ${last_error ?? ''}`);
    }
    console.log(
      mails.length === SHOWN_MAX ? `${SHOWN_MAX} or more did not go out.` : `${mails.length} did not go out.`,
    );
  });
} else {
  if (verb !== 'again' || words.length > 2 || (id !== undefined && !/^\d{1,15}$/.test(id)))
    refuse('Say npm run mails [--remote], or npm run mails -- again [id of a mail] [--remote]');
  await changeDatabases(where, async ({ directory }) => {
    const [sent] = await directory.batch([sendGivenUpAgain(id === undefined ? null : Number(id))]);
    console.log(`${sent.length} will be sent within a minute.`);
    if (id !== undefined && sent.length === 0) {
      console.error(`Mail ${id} was not given up. npm run mails shows which were.`);
      process.exitCode = 1;
    }
  });
}
