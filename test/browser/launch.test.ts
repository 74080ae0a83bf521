// This file is long because it is one journey, in which a new team plans a launch and finds controls by role and label.
import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { chooseFilter } from './boards.ts';
import { type InputMethod, inputMethods, tabTo, waitForPostResponse } from './input-methods.ts';
import { createOwnStage } from './own-stage.ts';
import { firstOrAll } from './tier.ts';

const PASSWORD = 'pass words';
// By default, the plan of new workspaces doesn't include recurring tasks.
const stage = createOwnStage('launch', { DEFAULT_PLAN: 'pro' });

const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 } };
const [byKeyboard, byMouse, withoutScript] = inputMethods as [InputMethod, InputMethod, InputMethod];
const ways: readonly InputMethod[] = [
  byKeyboard,
  byMouse,
  { ...byMouse, name: 'mouse at 390 px', options: { ...byMouse.options, ...phone } },
  withoutScript,
];

class Person {
  readonly page: Page;
  readonly hand: InputMethod;
  readonly name: string;
  readonly email: string;

  constructor(page: Page, hand: InputMethod, name: string) {
    this.page = page;
    this.hand = hand;
    this.name = name;
    this.email = `${name.toLowerCase()}.${randomUUID().slice(0, 8)}@example.com`;
  }

  /** The content of the page, or the form or section with this name. */
  within(part?: string): Locator {
    const main = this.page.getByRole('main');
    if (part === undefined) return main;
    const named = { name: part, exact: true };
    return main.getByRole('form', named).or(main.getByRole('region', named)).first();
  }

  /** Presses a button, follows a link or opens a section. */
  press(name: string | RegExp, part?: string): Promise<void> {
    const inside = this.within(part);
    const named = { name, exact: typeof name === 'string' };
    const folded = inside.locator('summary').filter({ has: this.page.getByText(name, { exact: true }) });
    const found = inside.getByRole('button', named).or(inside.getByRole('link', named)).or(folded);
    return this.hand.press(found.filter({ visible: true }).first());
  }

  async submit(name: string | RegExp, part?: string): Promise<void> {
    await Promise.all([waitForPostResponse(this.page), this.press(name, part)]);
  }

  async enter(label: string, text: string, part?: string): Promise<void> {
    const named = { name: label, exact: true };
    const inside = this.within(part);
    const field = inside
      .getByRole('textbox', named)
      .or(inside.getByRole('combobox', named))
      .or(inside.getByLabel(label, { exact: true }).and(this.page.locator('input')))
      .first();
    if (this.usesPointer) {
      const chip = field.locator('xpath=ancestor::*[contains(concat(" ", @class, " "), " chip ")]');
      if (await chip.count()) return this.pick(chip, text);
    }
    if (this.hand.name !== 'keyboard') await field.click();
    await this.hand.say(field, text);
    // A date field accepts typed digits in the order month, day, year, but no inserted text.
    if (this.hand.name === 'keyboard' && (await field.getAttribute('type')) === 'date')
      await this.page.keyboard.type(text.replace(/^(\d+)-(\d+)-(\d+)$/, '$2$3$1'));
  }

  get usesPointer(): boolean {
    return this.hand.name !== 'keyboard' && this.hand.options.javaScriptEnabled !== false;
  }

  /** Chooses values in the picker of a chip. Several are separated by commas. */
  async pick(chip: Locator, text: string): Promise<void> {
    await chip.click();
    const picker = this.page.locator('.picker');
    for (const each of text.split(', ')) {
      await picker.getByRole('combobox').fill(each);
      // The picker displays dates in another format.
      await picker
        .getByRole('option', { name: /^\d/.test(each) ? '' : each })
        .first()
        .click();
    }
    if (await picker.isVisible()) await this.page.keyboard.press('Escape');
  }

  /** Types into a field and presses Enter. */
  async add(label: string, text: string, part?: string): Promise<void> {
    await this.enter(label, text, part);
    await Promise.all([waitForPostResponse(this.page), this.page.keyboard.press('Enter')]);
    await this.sees(text);
  }

  /** Changes a property that has no visible Save button unless scripts are off. */
  async set(label: string, text: string): Promise<void> {
    const saved = waitForPostResponse(this.page);
    await this.enter(label, text);
    if (this.hand.options.javaScriptEnabled === false) await this.press(`Save: ${label}`);
    else if (this.hand.name === 'keyboard') await this.page.keyboard.press('Enter');
    await saved;
  }

  /** Adds an assignee, who is saved when selected or, without JavaScript, with a button. */
  async addAssignee(name: string): Promise<void> {
    const label = 'Add an assignee';
    const form = this.within(label);
    if (this.hand.options.javaScriptEnabled === false) {
      await this.enter(label, name);
      return this.submit('Add', label);
    }
    const saved = waitForPostResponse(this.page);
    const picker = this.page.getByRole('dialog', { name: 'Assignee' });
    if (this.hand.name === 'keyboard') {
      await tabTo(form.getByRole('combobox'));
      await this.page.keyboard.type(name);
      await picker.getByRole('option', { name }).waitFor();
      await this.page.keyboard.press('Enter');
    } else await this.pick(form.locator('.chip'), name);
    await saved;
  }

  /** Opens the workspace's settings from the account menu. */
  async openSettings(): Promise<void> {
    const account = this.page.getByRole('navigation', { name: 'Account' });
    const menu = account.getByRole('button', { name: this.name });
    if (!(await menu.isVisible())) await this.hand.press(this.page.getByRole('button', { name: 'Menu' }));
    await this.hand.press(menu);
    await this.hand.press(account.getByRole('link', { name: 'Settings' }));
  }

  async goTo(name: string, heading = name): Promise<void> {
    const target = this.page
      .getByRole('navigation', { name: 'Workspace' })
      .getByRole('link', { name: new RegExp(`^${name}( \\d+)?$`) });
    if (!(await target.isVisible())) await this.hand.press(this.page.getByRole('button', { name: 'Menu' }));
    await this.hand.press(target);
    await this.reads(heading);
  }

  async open(link: string, part?: string): Promise<void> {
    await this.press(link, part);
    await this.reads(link);
  }

  sees(text: string | RegExp): Promise<void> {
    return this.within().getByText(text).filter({ visible: true }).first().waitFor();
  }

  reads(heading: string): Promise<void> {
    return this.page.getByRole('heading', { name: heading, exact: true, level: 1 }).first().waitFor();
  }

  async openMail(subject: RegExp): Promise<void> {
    await this.page.goto(`${stage.prepared.origin}/dev/outbox`);
    const mail = this.page.getByRole('article').filter({ hasText: this.email }).filter({ hasText: subject });
    await this.hand.press(mail.first().getByRole('link').first());
  }
}

type Step = readonly [what: string, play: (nora: Person, omar: Person, pia: Person) => Promise<void>];

const steps: readonly Step[] = [
  [
    'Nora signs up',
    async (nora) => {
      await nora.page.goto(stage.prepared.origin);
      await nora.press('Create an account');
      await nora.enter('Your name', nora.name);
      await nora.enter('Email address', nora.email);
      await nora.enter('Password', PASSWORD);
      await nora.submit('Create account');
      await nora.reads('Check your email');
      await nora.openMail(/Verify/i);
      await nora.submit('Verify email address');
      await nora.press('Sign in');
      await nora.enter('Email address', nora.email);
      await nora.enter('Password', PASSWORD);
      await nora.submit('Sign in');
      await nora.reads('My work');
    },
  ],
  [
    'Nora follows "Get started" to a project, and adds tasks in its first column',
    async (nora) => {
      await nora.press(/^Create a project/);
      await nora.reads('New project');
      await nora.enter('Name', 'Spring launch');
      await nora.submit('Create project');
      await nora.reads('Spring launch');
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
        await nora.enter('First project', 'Spring launch');
        await nora.submit('Send invitations');
        await nora.sees(person.email);
        await person.openMail(/invited/);
        await person.enter('Your name', person.name);
        await person.enter('Password', PASSWORD);
        await person.submit(/^Join/);
        await person.reads('My work');
      }
    },
  ],
  [
    'Nora creates a field for the project from its settings',
    async (nora) => {
      await openProject(nora, 'Spring launch');
      await nora.press('Settings');
      await nora.press('New field', 'Fields 0');
      await nora.reads('Fields');
      await nora.enter('Name', 'Channel', 'New field');
      await nora.enter('Type', 'Select', 'New field');
      await nora.enter('New options', 'Press\nSocial', 'New field');
      await nora.submit('Create field');
      await nora.sees('Used in 1 project');
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
      await nora.sees('Blocked');
      await nora.set('Tags', 'press, launch');
      await nora.set('Channel', 'Press');
      await nora.set('Assignee', omar.name);
      await nora.addAssignee(pia.name);
      await nora
        .within()
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
      await nora.reads('Check in');
      await nora.press('Repeat');
      await nora.enter('Repeats', 'Every Monday');
      await nora.submit('Save', 'Repeat');
      await nora.sees('Every Monday');
    },
  ],
  [
    'Nora saves the task as a template, and creates another task from it',
    async (nora) => {
      await openProject(nora, 'Spring launch');
      await openTask(nora, 'Write the announcement');
      await nora.press('Actions');
      await nora.submit('Save as template');
      await nora.sees('New task from this template');
      await nora.goTo('All tasks');
      await nora.press('New task');
      await nora.press('Write the announcement');
      await nora.sees('New task from this template');
      await nora.enter('Project', 'Spring launch');
      await nora.submit('Create task');
      await nora.sees('created the task');
      await nora.sees('Translate it');
    },
  ],
  [
    'Nora saves the project as a template, and creates a second project from it',
    async (nora) => {
      await openProject(nora, 'Spring launch');
      await nora.press('Settings');
      await nora.submit('Save as template');
      await nora.sees('New project from this template');
      await nora.goTo('All projects', 'Projects');
      await nora.press('New project');
      await nora.press('Spring launch');
      await nora.enter('Project name', 'Autumn launch');
      await nora.submit('Create project');
      await nora.reads('Autumn launch');
      await nora.sees('Book the venue');
      await nora.sees('Subtask of Write the announcement');
    },
  ],
  [
    'Omar finds what is blocked, and Nora completes the blocker',
    async (nora, omar) => {
      await openProject(omar, 'Spring launch');
      await omar.press('List');
      await omar.within().getByRole('table').waitFor();
      if (omar.hand.options.javaScriptEnabled === false) {
        await omar.enter('Blocked', 'Blocked');
        await omar.press('Filter');
      } else await chooseFilter(omar.page, 'Blocked', 'Blocked');
      await omar.within().getByRole('link', { name: 'Book the venue' }).waitFor({ state: 'detached' });
      await openTask(omar, 'Write the announcement');
      await nora.goTo('All projects', 'Projects');
      await openProject(nora, 'Spring launch');
      await openTask(nora, 'Book the venue');
      await nora.submit('Mark complete');
      await nora.within().getByRole('button', { name: 'Reopen', exact: true }).waitFor();
      await omar.page.reload();
      await omar.reads('Write the announcement');
      assert.equal(await omar.within().getByText('Blocked', { exact: true }).count(), 0);
      await omar.goTo('Inbox');
      await omar.sees('Write the announcement');
    },
  ],
  [
    'Nora deletes a task, and restores it from the trash',
    async (nora) => {
      await openProject(nora, 'Spring launch');
      await openTask(nora, 'Send invitations');
      await nora.press('Actions');
      await nora.submit('Delete');
      await nora.reads('Spring launch');
      await nora.openSettings();
      await nora.press('Trash');
      await nora.reads('Trash');
      await nora.sees('Send invitations');
      await nora.submit(/^Restore/);
      await nora.sees('No deleted tasks');
      await openProject(nora, 'Spring launch');
      await nora.sees('Send invitations');
    },
  ],
];

async function openProject(person: Person, name: string): Promise<void> {
  await person.goTo('All projects', 'Projects');
  await person.open(name);
}

/** Opens the full page of a task, which works the same with and without a panel. */
async function openTask(person: Person, name: string): Promise<void> {
  const link = person.within().getByRole('link', { name, exact: true }).first();
  await person.page.goto(new URL((await link.getAttribute('href')) ?? '', person.page.url()).href);
  await person.reads(name);
}

describe('a new team plans a launch', { concurrency: ways.length }, () => {
  for (const hand of firstOrAll(ways)) {
    test(`by ${hand.name}`, async () => {
      const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
      const open = async (name: string) => {
        const extraHTTPHeaders = { 'CF-Connecting-IP': address };
        const context = await stage.browser.newContext({ ...hand.options, extraHTTPHeaders });
        return new Person(await context.newPage(), hand, name);
      };
      const people = [await open('Nora'), await open('Omar'), await open('Pia')] as const;
      for (const [what, play] of steps) {
        await play(...people).catch((cause) => {
          throw new Error(`${hand.name}: ${what}`, { cause });
        });
      }
      await Promise.all(people.map(({ page }) => page.context().close()));
    });
  }
});
