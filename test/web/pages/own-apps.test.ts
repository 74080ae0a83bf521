import { expect, it } from 'vitest';
import { REDIRECT_URI, readFormFields, TestBrowser } from '../../oauth/flow.ts';
import { createWorkspace } from '../../support/world.ts';

const PAGE = '/account/apps';

it('the Your apps page registers, edits and deletes an app, and confirms each change', async () => {
  const { people } = await createWorkspace();
  const browser = new TestBrowser();
  await browser.signInAs(people.member);
  const openPage = async () => (await browser.get(PAGE)).text();
  const submitForm = async (action: string, fields: Record<string, string>) => {
    const answer = await browser.post(action, { ...readFormFields(await openPage(), action), ...fields });
    expect([
      action,
      answer.status,
      (await answer.clone().text()).match(/problem">.*?<\/p>|role="alert".*?<\/p>/g),
    ]).toEqual([action, 303, null]);
    return (await browser.get(answer.headers.get('Location') ?? '')).text();
  };
  expect(await openPage()).toContain('No apps yet.');
  const made = await submitForm(PAGE, { name: 'Report <b>', redirectUris: REDIRECT_URI });
  expect(made).toContain('App registered');
  expect(made).toMatch(/<h3><bdi>Report &lt;b&gt;<\/bdi><\/h3>/);
  expect(made).toMatch(/<code>client_[\w-]+<\/code>/);
  expect(made).toContain('no one has authorized it yet');
  const redirectUris = `${REDIRECT_URI}\r\ncom.example.report:/callback`;
  const saved = await submitForm(`${PAGE}/update`, { name: 'Report <b>', redirectUris });
  expect(saved).toContain('App saved');
  expect(saved).toContain('<code>com.example.report:/callback</code>');
  const deleted = await submitForm(`${PAGE}/delete`, {});
  expect(deleted).toContain('App deleted.');
  expect(deleted).toContain('No apps yet.');
});

it('the Your apps page shows each error next to its field, and keeps typed values', async () => {
  const { people } = await createWorkspace();
  const browser = new TestBrowser();
  await browser.signInAs(people.member);
  const form = readFormFields(await (await browser.get(PAGE)).text(), PAGE);
  const answer = await browser.post(PAGE, { ...form, name: 'Report', redirectUris: 'http://app.example/' });
  const html = await answer.text();
  expect(answer.status).toBe(400);
  expect(html).toContain('value="Report"');
  expect(html).toMatch(/id="redirectUris-problem">[^<]*must use https, or http on 127\.0\.0\.1/);
});

it('the Your apps page requires a signed-in browser, and is linked from the account pages', async () => {
  const { people } = await createWorkspace();
  const browser = new TestBrowser();
  const answer = await browser.get(PAGE);
  expect([answer.status, answer.headers.get('Location')]).toEqual([
    303,
    `/sign-in?next=${encodeURIComponent(PAGE)}`,
  ]);
  await browser.signInAs(people.member);
  for (const page of ['/account', '/connected-apps'])
    expect(await (await browser.get(page)).text()).toContain(`<a href="${PAGE}">Your apps</a>`);
});
