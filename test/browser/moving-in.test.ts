import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { createOwnServerAndBrowser } from './own-server-and-browser.ts';

const setup = createOwnServerAndBrowser('moving-in');
const PASSWORD = 'pass words';
/** Of a person who knows what they want, but not this app. */
const MS_PER_KEY = 200;
const MS_PER_CLICK = 2_500;
const CLICKS_MAX = 40;
const MINUTES_MAX = 10;

/** Counts what the person does. Everything is done with visible controls, by mouse and keyboard. */
class Person {
  clicks = 0;
  keys = 0;
  readonly page: Page;
  readonly name: string;
  readonly email: string;

  constructor(page: Page, name: string) {
    this.page = page;
    this.name = name;
    this.email = `${name.toLowerCase()}.${randomUUID().slice(0, 8)}@example.com`;
  }

  async click(target: Locator | string) {
    const found =
      typeof target === 'string'
        ? this.page.getByRole('link', { name: target }).or(this.page.getByRole('button', { name: target }))
        : target;
    await found.filter({ visible: true }).first().click();
    this.clicks += 1;
  }

  /** Opens a list, and clicks an option. */
  async choose(list: Locator, label: string) {
    await list.selectOption({ label });
    this.clicks += 2;
  }

  /** Types into the focused field. */
  async type(text: string) {
    await this.page.locator(':is(input, textarea):focus').waitFor();
    await this.page.keyboard.insertText(text);
    this.keys += text.length;
  }

  async press(...keys: string[]) {
    for (const key of keys) await this.page.keyboard.press(key);
    this.keys += keys.length;
  }

  /** Doesn't count the way to the mailbox. */
  async openMail(subject: RegExp) {
    await this.page.goto(`${setup.prepared.origin}/dev/outbox`);
    const mail = this.page.getByRole('article').filter({ hasText: this.email }).filter({ hasText: subject });
    await this.click(mail.first().getByRole('link').first());
  }

  waitForHeading(name: string) {
    return this.page.getByRole('heading', { name, exact: true, level: 1 }).first().waitFor();
  }

  waitForText(text: string | RegExp) {
    return this.page.getByText(text).filter({ visible: true }).first().waitFor();
  }
}

async function openPerson(name: string): Promise<Person> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const context = await setup.browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'CF-Connecting-IP': address },
  });
  return new Person(await context.newPage(), name);
}

test('a team of five gets set up from scratch in few clicks, and in less than ten minutes', async () => {
  const startedAt = Date.now();
  const nora = await openPerson('Nora');
  const others = await Promise.all(['Omar', 'Pia', 'Quinn', 'Rosa'].map(openPerson));
  const [omar] = others as [Person];

  await nora.page.goto(setup.prepared.origin);
  await nora.click('Sign up');
  await nora.waitForHeading('Create your account');
  await nora.type(nora.name);
  await nora.press('Tab');
  await nora.type(nora.email);
  await nora.press('Tab');
  await nora.type(PASSWORD);
  await nora.press('Enter');
  await nora.waitForHeading('Check your email');
  await nora.openMail(/Verify/);
  await nora.waitForHeading('Verify your email address');
  await nora.press('ControlOrMeta+A');
  await nora.type('Studio');
  await nora.press('Enter');
  await nora.waitForHeading('My work');
  await nora.waitForText('Studio');

  await nora.click('Create a project');
  await nora.waitForHeading('New project');
  await nora.type('Website');
  await nora.press('Enter');
  await nora.waitForHeading('Website');
  await nora.click('Settings');
  await nora.click('Save as template');
  await nora.waitForText('New project from this template');
  const template = nora.page.url();
  for (const name of ['Shop', 'Campaign']) {
    if (nora.page.url() !== template) {
      await nora.click('All projects');
      await nora.click('New project');
      await nora.click(nora.page.getByRole('main').getByRole('link', { name: 'Website' }));
      await nora.waitForText('New project from this template');
    }
    await nora.click(nora.page.getByRole('textbox', { name: 'Project name' }));
    await nora.press('ControlOrMeta+A');
    await nora.type(name);
    await nora.press('Enter');
    await nora.waitForHeading(name);
  }

  await nora.click('People');
  await nora.click(nora.page.getByLabel('Email addresses'));
  await nora.type(others.map(({ email }) => email).join(', '));
  await nora.choose(nora.page.getByLabel('Add to project'), 'Website');
  await nora.click('Send invitations');
  for (const person of others) {
    await nora.waitForText(person.email);
    await person.openMail(/invited/);
    await person.waitForHeading('Join Studio');
    await person.type(person.name);
    await person.press('Tab');
    await person.type(PASSWORD);
    await person.press('Enter');
    await person.waitForHeading('My work');
  }

  const people = [nora, ...others];
  for (let index = 0; index < 15; index += 1) {
    const project = ['Website', 'Shop', 'Campaign'][index % 3];
    const { name } = people[index % people.length] as Person;
    await nora.press('c');
    await nora.page.getByRole('dialog', { name: 'New task' }).getByRole('textbox').first().waitFor();
    await nora.type(`Task ${index}, @${name}, friday, #${project}, +launch`);
    await nora.press('Enter');
    await nora.waitForText(`Added: Task ${index} · ${name}`);
  }

  await nora.click('Calendar');
  await nora.click('New meeting');
  await nora.waitForHeading('New meeting');
  await nora.type('Kickoff');
  await nora.choose(nora.page.getByLabel('Project', { exact: true }), 'Website');
  await nora.click(nora.page.getByLabel('Omar'));
  await nora.click('Create meeting');
  await nora.waitForHeading('Kickoff');
  await omar.click('Inbox');
  await omar.click('Kickoff');
  await omar.waitForHeading('Kickoff');

  await omar.click('My work');
  await omar.click(omar.page.getByRole('button', { name: /Complete Task 1(?!\d)/ }));
  await omar.waitForText(/Completed/);

  const clicks = people.reduce((sum, person) => sum + person.clicks, 0);
  const keys = people.reduce((sum, person) => sum + person.keys, 0);
  const minutes = (Date.now() - startedAt + clicks * MS_PER_CLICK + keys * MS_PER_KEY) / 60_000;
  assert.ok(clicks <= CLICKS_MAX, `${clicks} clicks`);
  assert.ok(minutes <= MINUTES_MAX, `${minutes.toFixed(1)} minutes`);
});
