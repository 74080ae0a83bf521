// With the exceptions below, pages and forms of a workspace use only its cell, so they work without the directory.
import { beforeAll, describe, expect, it } from 'vitest';
import { csvFiles, screens } from '../../../src/web/pages/screens.ts';
import { createFaultyD1, type FaultyD1 } from '../../suites/faults/faulty-d1.ts';
import { readCost } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { readFilledForm } from './filled-form.ts';
import { createFullWorkspace, type FullWorkspace } from './full-workspace.ts';

const formsThatReadDirectory: Readonly<Record<string, string>> = {
  '/people/invitations/:id/resend': 'mail is queued in the directory',
  '/webhooks/:id': 'checks that the password has not changed since sign-in',
};

/** This page shows notification settings, which belong to the account. */
const ACCOUNT_PAGE = '/inbox/mail';

let fullWorkspace: FullWorkspace;
let pageUrls: readonly string[];

beforeAll(async () => {
  fullWorkspace = await createFullWorkspace('Task');
  const { owner, idsByParameter } = fullWorkspace;
  pageUrls = [
    ...screens.filter(({ redirectTo, path }) => !redirectTo && path !== ACCOUNT_PAGE),
    ...csvFiles,
  ].map(({ path }) => path.replace(/:(\w+)/g, (_, name: string) => String(idsByParameter[name])));
  // Opening the first page copies the session to the cell.
  await owner.open('');
});

const createUnavailableDirectory = (): FaultyD1 => createFaultyD1(env.DIRECTORY, () => 'overloaded');

it('the page with notification settings queries the cell once, and the directory once', async () => {
  const { owner } = fullWorkspace;
  const directory = createFaultyD1(env.DIRECTORY, () => undefined);
  const answer = await owner.browser.request(owner.base + ACCOUNT_PAGE, {}, { DIRECTORY: directory.d1 });
  expect([answer.status, readCost(answer.headers).trips, directory.batches]).toEqual([200, 2, 1]);
});

describe('while the directory database is down', () => {
  it('every workspace page except the notification settings opens with one database round trip, and every CSV file with three', async () => {
    const { owner } = fullWorkspace;
    expect(pageUrls.length).toBeGreaterThan(30);
    for (const address of pageUrls) {
      const { d1: DIRECTORY } = createUnavailableDirectory();
      const answer = await owner.browser.request(owner.base + address, {}, { DIRECTORY });
      const { trips } = readCost(answer.headers);
      // A CSV export reads its filters, reads its rows, and writes to the audit log.
      const expected = address.endsWith('.csv') ? 3 : 1;
      expect([address, answer.status, trips]).toEqual([address, 200, expected]);
    }
  });

  it('forms return no server error, except those that need the directory', async () => {
    const { owner } = fullWorkspace;
    const pages = await Promise.all(pageUrls.map(async (path) => (await owner.open(path)).html));
    const sent = new Map<string, { html: string; action: string }>();
    for (const html of pages) {
      for (const [, action = ''] of html.matchAll(/<form method="post" action="([^"]+)"/g)) {
        const kind = action.replace(owner.base, '').replace(/\d+|usr_\w+/g, ':id');
        if (action.startsWith(owner.base) && !sent.has(kind)) sent.set(kind, { html, action });
      }
    }
    expect(sent.size).toBeGreaterThan(30);
    const asked: string[] = [];
    for (const [kind, { html, action }] of sent) {
      const directory = createUnavailableDirectory();
      const form = readFilledForm(html, action);
      const answer = await owner.browser.post(action, form, {}, { DIRECTORY: directory.d1 });
      if (directory.batches > 0) asked.push(kind);
      else expect([kind, answer.status < 500]).toEqual([kind, true]);
    }
    expect(asked.sort()).toEqual(Object.keys(formsThatReadDirectory).sort());
  });
});
