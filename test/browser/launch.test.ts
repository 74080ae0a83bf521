// This file is long because it follows one journey, in which a new team plans a launch. The test finds controls by role
// and label.
import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { selectFilter } from './boards.ts';
import { type InputMethod, inputMethods, tabTo, waitForPostResponse } from './input-methods.ts';
import { createOwnServerAndBrowser } from './own-server-and-browser.ts';
import { takeFirstOrAll } from './tier.ts';

const PASSWORD = 'pass words';
// New workspaces get the Pro plan, because the usual default plan doesn't include recurring tasks.
const setup = createOwnServerAndBrowser('launch', { DEFAULT_PLAN: 'pro' });

const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 } };
const [byKeyboard, byMouse, withoutScript] = inputMethods as [InputMethod, InputMethod, InputMethod];
const allInputMethods: readonly InputMethod[] = [
  byKeyboard,
  byMouse,
  { ...byMouse, name: 'mouse at 390 px', options: { ...byMouse.options, ...phone } },
  withoutScript,
];

class Person {
  readonly page: Page;
  readonly inputMethod: InputMethod;
  readonly name: string;
  readonly email: string;

  constructor(page: Page, inputMethod: InputMethod, name: string) {
    this.page = page;
    this.inputMethod = inputMethod;
    this.name = name;
    this.email = `${name.toLowerCase()}.${randomUUID().slice(0, 8)}@example.com`;
  }

  /** Returns the page's content, or the form or section with this name. */
  findPart(part?: string): Locator {
    const main = this.page.getByRole('main');
    if (part === undefined) return main;
    const named = { name: part, exact: true };
    return main.getByRole('form', named).or(main.getByRole('region', named)).first();
  }

  press(name: string | RegExp, part?: string): Promise<void> {
    const inside = this.findPart(part);
    const named = { name, exact: typeof name === 'string' };
    const folded = inside.locator('summary').filter({ has: this.page.getByText(name, { exact: true }) });
    const found = inside.getByRole('button', named).or(inside.getByRole('link', named)).or(folded);
    return this.inputMethod.press(found.filter({ visible: true }).first());
  }

  async submit(name: string | RegExp, part?: string): Promise<void> {
    await Promise.all([waitForPostResponse(this.page), this.press(name, part)]);
  }

  async enter(label: string, text: string, part?: string): Promise<void> {
    const named = { name: label, exact: true };
    const inside = this.findPart(part);
    const field = inside
      .getByRole('textbox', named)
      .or(inside.getByRole('combobox', named))
      .or(inside.getByLabel(label, { exact: true }).and(this.page.locator('input')))
      .first();
    if (this.usesPointer) {
      const chip = field.locator('xpath=ancestor::*[contains(concat(" ", @class, " "), " chip ")]');
      if (await chip.count()) return this.selectInPicker(chip, text);
    }
    if (this.inputMethod.name !== 'keyboard') await field.click();
    await this.inputMethod.enterText(field, text);
    // A date field accepts typed digits in the order month, day, year, but no inserted text.
    if (this.inputMethod.name === 'keyboard' && (await field.getAttribute('type')) === 'date')
      await this.page.keyboard.type(text.replace(/^(\d+)-(\d+)-(\d+)$/, '$2$3$1'));
  }

  get usesPointer(): boolean {
    return this.inputMethod.name !== 'keyboard' && this.inputMethod.options.javaScriptEnabled !== false;
  }

  /** Selects comma-separated values in a chip's picker. */
  async selectInPicker(chip: Locator, text: string): Promise<void> {
    await chip.click();
    const picker = this.page.locator('.picker');
    for (const each of text.split(', ')) {
      await picker.getByRole('combobox').fill(each);
      // The picker displays dates in another format, so the first option is selected.
      await picker
        .getByRole('option', { name: /^\d/.test(each) ? '' : each })
        .first()
        .click();
    }
    if (await picker.isVisible()) await this.page.keyboard.press('Escape');
  }

  async add(label: string, text: string, part?: string): Promise<void> {
    await this.enter(label, text, part);
    await Promise.all([waitForPostResponse(this.page), this.page.keyboard.press('Enter')]);
    await this.waitForText(text);
  }

  /** Changes a property. Its Save button is visible only without JavaScript. */
  async set(label: string, text: string): Promise<void> {
    const saved = waitForPostResponse(this.page);
    await this.enter(label, text);
    if (this.inputMethod.options.javaScriptEnabled === false) await this.press(`Save: ${label}`);
    else if (this.inputMethod.name === 'keyboard') await this.page.keyboard.press('Enter');
    await saved;
  }

  /** An assignee is saved when selected or, without JavaScript, with a button. */
  async addAssignee(name: string): Promise<void> {
    const label = 'Add an assignee';
    const form = this.findPart(label);
    if (this.inputMethod.options.javaScriptEnabled === false) {
      await this.enter(label, name);
      return this.submit('Add', label);
    }
    const saved = waitForPostResponse(this.page);
    const picker = this.page.getByRole('dialog', { name: 'Assignee' });
    if (this.inputMethod.name === 'keyboard') {
      await tabTo(form.getByRole('combobox'));
      await this.page.keyboard.type(name);
      await picker.getByRole('option', { name }).waitFor();
      await this.page.keyboard.press('Enter');
    } else await this.selectInPicker(form.locator('.chip'), name);
    await saved;
  }

  async openSettings(): Promise<void> {
    const account = this.page.getByRole('navigation', { name: 'Account' });
    const menu = account.getByRole('button', { name: this.name });
    if (!(await menu.isVisible()))
      await this.inputMethod.press(this.page.getByRole('button', { name: 'Menu' }));
    await this.inputMethod.press(menu);
    await this.inputMethod.press(account.getByRole('link', { name: 'Settings' }));
  }

  async goTo(name: string, heading = name): Promise<void> {
    const target = this.page
      .getByRole('navigation', { name: 'Workspace' })
      .getByRole('link', { name: new RegExp(`^${name}( \\d+)?$`) });
    if (!(await target.isVisible()))
      await this.inputMethod.press(this.page.getByRole('button', { name: 'Menu' }));
    await this.inputMethod.press(target);
    await this.waitForHeading(heading);
  }

  async open(link: string, part?: string): Promise<void> {
    await this.press(link, part);
    await this.waitForHeading(link);
  }

  waitForText(text: string | RegExp): Promise<void> {
    return this.findPart().getByText(text).filter({ visible: true }).first().waitFor();
  }

  waitForHeading(heading: string): Promise<void> {
    return this.page.getByRole('heading', { name: heading, exact: true, level: 1 }).first().waitFor();
  }

  async openMail(subject: RegExp): Promise<void> {
    await this.page.goto(`${setup.prepared.origin}/dev/outbox`);
    const mail = this.page.getByRole('article').filter({ hasText: this.email }).filter({ hasText: subject });
    await this.inputMethod.press(mail.first().getByRole('link').first());
  }
}

type JourneyStep = readonly [what: string, play: (nora: Person, omar: Person, pia: Person) => Promise<void>];

const steps: readonly JourneyStep[] = [
  [
    'Nora signs up',
    async (nora) => {
      await nora.page.goto(setup.prepared.origin);
      await nora.press('Create an account');
      await nora.enter('Your name', nora.name);
      await nora.enter('Email address', nora.email);
      await nora.enter('Password', PASSWORD);
      await nora.submit('Create account');
      await nora.waitForHeading('Check your email');
      await nora.openMail(/Verify/i);
      await nora.submit('Verify email address');
      await nora.waitForHeading('My work');
    },
  ],
  [
    'Nora follows "Get started" to a project, and adds tasks in its first column',
    async (nora) => {
      await nora.press(/^Create a project/);
      await nora.waitForHeading('New project');
      await nora.enter('Name', 'Spring launch');
      await nora.submit('Create project');
      await nora.waitForHeading('Spring launch');
      for (const task of ['Write the announcement', 'Book the venue', 'Send invitations'])
        await nora.add('Add a task to To do', task);
    },
  ],
  [
    'two people accept an invitation to the project',
    async (nora, ...others) => {
      await nora.goTo('People');
      for (const person of others) {
        await nora.enter('Email addresses', person.email);
        await nora.enter('Add to project', 'Spring launch');
        await nora.submit('Send invitations');
        await nora.waitForText(person.email);
        await person.openMail(/invited/);
        await person.enter('Your name', person.name);
        await person.enter('Password', PASSWORD);
        await person.submit(/^Join/);
        await person.waitForHeading('My work');
      }
    },
  ],
  [
    'Nora creates a field for the project from its settings',
    async (nora) => {
      await openProject(nora, 'Spring launch');
      await nora.press('Settings');
      await nora.press('New field', 'Custom fields 0');
      await nora.waitForHeading('Custom fields');
      await nora.enter('Name', 'Channel', 'New field');
      await nora.enter('Type', 'Select', 'New field');
      await nora.enter('Options', 'Press\nSocial', 'New field');
      await nora.submit('Create field');
      await nora.waitForText('Used in 1 project');
    },
  ],
  [
    'Nora details a task: subtasks, a blocker, tags, the field and two assignees',
    async (nora, omar, pia) => {
      await openProject(nora, 'Spring launch');
      await openTask(nora, 'Write the announcement');
      for (const subtask of ['Draft the text', 'Translate it']) await nora.add('Add a subtask', subtask);
      await nora.enter('Task name or number', 'Book the venue');
      await nora.submit('Add', 'Add a relation');
      await nora.waitForText('Blocked');
      await nora.set('Tags', 'press, launch');
      await nora.set('Channel', 'Press');
      await nora.set('Assignee', omar.name);
      await nora.addAssignee(pia.name);
      await nora
        .findPart()
        .getByRole('button', { name: `Remove ${pia.name}` })
        .waitFor();
    },
  ],
  [
    'Nora creates a task that repeats every week',
    async (nora) => {
      await nora.goTo('All tasks');
      await nora.press('New task');
      await nora.enter('Task name', 'Check in');
      await nora.enter('Project', 'Spring launch');
      await nora.enter('Deadline', '2030-01-07');
      await nora.submit('Create task');
      await nora.waitForHeading('Check in');
      await nora.press('Repeat');
      await nora.enter('Repeats', 'Every Monday');
      await nora.submit('Save', 'Repeat');
      await nora.waitForText('Every Monday');
    },
  ],
  [
    'Nora saves the task as a template, and creates another task from it',
    async (nora) => {
      await openProject(nora, 'Spring launch');
      await openTask(nora, 'Write the announcement');
      await nora.press('Actions');
      await nora.submit('Save as template');
      await nora.waitForText('New task from this template');
      await nora.goTo('All tasks');
      await nora.press('New task');
      await nora.press('Write the announcement');
      await nora.waitForText('New task from this template');
      await nora.enter('Project', 'Spring launch');
      await nora.submit('Create task');
      await nora.waitForText('created the task');
      await nora.waitForText('Translate it');
    },
  ],
  [
    'Nora saves the project as a template, and creates a second project from it',
    async (nora) => {
      await openProject(nora, 'Spring launch');
      await nora.press('Settings');
      await nora.submit('Save as template');
      await nora.waitForText('New project from this template');
      await nora.goTo('All projects', 'Projects');
      await nora.press('New project');
      await nora.press('Spring launch');
      await nora.enter('Project name', 'Autumn launch');
      await nora.submit('Create project');
      await nora.waitForHeading('Autumn launch');
      await nora.waitForText('Book the venue');
      await nora.waitForText('Subtask of Write the announcement');
    },
  ],
  [
    'Omar finds what is blocked, and Nora completes the blocker',
    async (nora, omar) => {
      await openProject(omar, 'Spring launch');
      await omar.press('List');
      await omar.findPart().getByRole('table').waitFor();
      if (omar.inputMethod.options.javaScriptEnabled === false) {
        await omar.enter('Blocked', 'Blocked: Yes');
        await omar.press('Filter');
      } else await selectFilter(omar.page, 'Blocked', 'Blocked: Yes');
      await omar.findPart().getByRole('link', { name: 'Book the venue' }).waitFor({ state: 'detached' });
      await openTask(omar, 'Write the announcement');
      await nora.goTo('All projects', 'Projects');
      await openProject(nora, 'Spring launch');
      await openTask(nora, 'Book the venue');
      await nora.submit('Mark complete');
      await nora.findPart().getByRole('button', { name: 'Reopen', exact: true }).waitFor();
      await omar.page.reload();
      await omar.waitForHeading('Write the announcement');
      assert.equal(await omar.findPart().getByText('Blocked', { exact: true }).count(), 0);
      await omar.goTo('Inbox');
      await omar.waitForText('Write the announcement');
    },
  ],
  [
    'Nora deletes a task, and restores it from the trash',
    async (nora) => {
      await openProject(nora, 'Spring launch');
      await openTask(nora, 'Send invitations');
      await nora.press('Actions');
      await nora.submit('Delete');
      await nora.waitForHeading('Spring launch');
      await nora.openSettings();
      await nora.press('Trash');
      await nora.waitForHeading('Trash');
      await nora.waitForText('Send invitations');
      await nora.submit(/^Restore/);
      await nora.waitForText('No deleted tasks');
      await openProject(nora, 'Spring launch');
      await nora.waitForText('Send invitations');
    },
  ],
];

async function openProject(person: Person, name: string): Promise<void> {
  await person.goTo('All projects', 'Projects');
  await person.open(name);
}

/** Opens a task's full page, so that journeys with and without the side panel have the same steps. */
async function openTask(person: Person, name: string): Promise<void> {
  const link = person.findPart().getByRole('link', { name, exact: true }).first();
  await person.page.goto(new URL((await link.getAttribute('href')) ?? '', person.page.url()).href);
  await person.waitForHeading(name);
}

describe('a new team plans a launch', { concurrency: allInputMethods.length }, () => {
  for (const inputMethod of takeFirstOrAll(allInputMethods)) {
    test(`by ${inputMethod.name}`, async () => {
      const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
      const openPerson = async (name: string) => {
        const extraHTTPHeaders = { 'CF-Connecting-IP': address };
        const context = await setup.browser.newContext({ ...inputMethod.options, extraHTTPHeaders });
        return new Person(await context.newPage(), inputMethod, name);
      };
      const people = [await openPerson('Nora'), await openPerson('Omar'), await openPerson('Pia')] as const;
      for (const [what, play] of steps) {
        await play(...people).catch((cause) => {
          throw new Error(`${inputMethod.name}: ${what}`, { cause });
        });
      }
      await Promise.all(people.map(({ page }) => page.context().close()));
    });
  }
});
