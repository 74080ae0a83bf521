// This file is long because it is one journey, from signing up to deleting the workspace, with each input method.
import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { chooseOption, findForm, type InputMethod, inputMethods, submitForm } from './input-methods.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { takeFirstOrAll } from './tier.ts';

/** The password is short because it is typed often. */
const PASSWORD = 'pass words';
const NEW_PASSWORD = 'new words!';
const projects = ['Website', 'Shop', 'Archive'] as const;

const { server, browser } = await openServerAndBrowser();

class Person {
  readonly page: Page;
  readonly inputMethod: InputMethod;
  readonly name: string;
  email: string;

  constructor(page: Page, inputMethod: InputMethod, name: string) {
    this.page = page;
    this.inputMethod = inputMethod;
    this.name = name;
    this.email = `${name.toLowerCase()}.${randomUUID().slice(0, 8)}@example.com`;
  }

  open(address: string) {
    // Waits for scripts, but not for images and prefetched pages.
    return this.page.goto(new URL(address, server.origin).href, { waitUntil: 'domcontentloaded' });
  }

  send(action: string, button: string | RegExp, fields: Record<string, string> = {}) {
    return submitForm(this.inputMethod, findForm(this.page, action), { fields, button });
  }

  follow(link: string) {
    return this.inputMethod.press(this.page.getByRole('link', { name: link }).first());
  }

  waitForText(text: string | RegExp) {
    return this.page.locator('main').getByText(text).first().waitFor();
  }

  waitForHeading(heading: string) {
    return this.page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
  }

  /** Follows the first link in the person's newest email with this subject. */
  async openMail(subject: RegExp) {
    await this.open('/dev/outbox');
    const mail = this.page.locator('article').filter({ hasText: this.email }).filter({ hasText: subject });
    await this.inputMethod.press(mail.first().getByRole('link').first());
  }

  async signIn(password = PASSWORD) {
    await this.send('/sign-in', 'Sign in', { email: this.email, password });
  }
}

interface Journey {
  readonly olga: Person;
  readonly ann: Person;
  readonly bea: Person;
  readonly carl: Person;
  readonly dora: Person;
  base: string;
  /** Paths of projects, by name. */
  readonly addresses: Map<string, string>;
  key: string;
}

type JourneyStep = readonly [what: string, play: (play: Journey) => Promise<void>];

const steps: readonly JourneyStep[] = [
  [
    'Olga signs up and verifies her address',
    async ({ olga }) => {
      await signUp(olga);
    },
  ],
  [
    'Olga names the workspace',
    async (play) => {
      const { olga } = play;
      play.base = new URL(olga.page.url()).pathname;
      await olga.open(`${play.base}/settings`);
      await olga.send('/settings', 'Save', { name: 'Studio' });
      await olga.page.getByRole('banner').or(olga.page.locator('nav')).getByText('Studio').first().waitFor();
    },
  ],
  [
    'Olga creates three projects',
    async ({ olga, base, addresses }) => {
      for (const name of projects) {
        await olga.open(`${base}/projects`);
        await olga.follow('New project');
        await olga.send('/projects', 'Create project', { name });
        await olga.waitForHeading(name);
        addresses.set(name, new URL(olga.page.url()).pathname);
      }
    },
  ],
  [
    'Ann already has an account',
    async ({ ann }) => {
      await signUp(ann);
      await ann.open('/account');
      await ann.send('/sign-out', 'Sign out');
      await ann.waitForHeading('Sign in');
    },
  ],
  [
    'Olga invites four people',
    async ({ olga, base, ann, bea, carl, dora }) => {
      await olga.open(`${base}/people`);
      for (const [people, role] of [
        [[ann, bea, dora], 'Member'],
        [[carl], 'Client'],
      ] as const) {
        const email = people.map((person) => person.email).join('\n');
        await olga.send('/people/invitations', 'Send invitations', { email, role });
        for (const person of people) await olga.waitForText(person.email);
      }
    },
  ],
  [
    'the invited people join, with and without an account',
    async ({ base, ann, bea, carl, dora }) => {
      await ann.openMail(/invited/);
      await ann.follow('Sign in to join');
      await ann.signIn();
      await ann.send('/invitation', 'Join');
      await ann.waitForHeading('My work');
      assert.equal(new URL(ann.page.url()).pathname, base);
      for (const person of [bea, carl, dora]) {
        await person.openMail(/invited/);
        await person.send('/invitation', 'Join', { name: person.name, password: PASSWORD });
        await person.waitForHeading('My work');
      }
    },
  ],
  [
    'Olga changes a role',
    async ({ olga, base, bea }) => {
      await olga.open(`${base}/people`);
      const row = olga.page.locator('li').filter({ hasText: bea.email });
      await chooseOption(olga.inputMethod, row.locator('form').first(), 'Lead');
      await bea.open(`${base}/people`);
      await bea.waitForText('Lead (you)');
    },
  ],
  [
    'Olga creates a team with a sub-team and adds a member',
    async ({ olga, base, bea }) => {
      await olga.open(`${base}/teams`);
      await olga.send('/teams', 'Create', { name: 'Design' });
      await olga.waitForHeading('Design 0');
      await olga.send('/teams', 'Create', { name: 'Icons', parentId: 'Part of Design' });
      const icons = olga.page.locator('.sub-team');
      await icons.waitFor();
      const add = icons.locator('form[aria-label="Add people to Icons"]');
      await submitForm(olga.inputMethod, add, { fields: { userId: bea.name }, button: 'Add' });
      await olga.waitForHeading('Icons 1');
    },
  ],
  [
    'Olga creates a category with default hours',
    async ({ olga, base }) => {
      await olga.open(`${base}/categories`);
      await olga.send('/categories', 'Add', { value: 'Research', defaultEstimatedHours: '2.5' });
      await olga.waitForHeading('Research');
    },
  ],
  [
    'Olga hands over a project',
    async ({ olga, ann, addresses }) => {
      const own = addresses.get('Website') ?? '';
      await olga.open(`${own}/settings`);
      await olga.send(`${own}/people`, 'Add to project', { userIds: ann.name });
      await olga.page.getByText('Change project lead').waitFor();
      await olga.send(`${own}/owner`, 'Change lead', { userId: ann.name });
      await ann.open(`${own}/settings`);
      await ann.page.locator('li').filter({ hasText: ann.name }).getByText('project lead').waitFor();
    },
  ],
  [
    'Dora has an open task, a running timer, an API key and a webhook',
    async (play) => {
      const { dora, base } = play;
      await dora.open(base);
      await dora.send('/tasks/add', 'Add', { name: 'Sort the shelves' });
      await dora.follow('Sort the shelves');
      await dora.page.getByRole('heading', { name: 'Sort the shelves' }).first().waitFor();
      await dora.send('/timer', 'Start timer');
      await dora.page.getByRole('button', { name: 'Stop timer' }).first().waitFor();
      await dora.open(`/connected-apps?workspace=${base.replace('/app/', '')}`);
      await dora.send('/connected-apps', 'Create key', { name: 'A script' });
      play.key = await dora.page.locator('#key').inputValue();
      await dora.open(`${base}/webhooks`);
      await dora.send('/webhooks', 'Create webhook', { url: 'https://hooks.example.com/dora' });
      await dora.waitForHeading('Signing secret');
      assert.equal(await getKeyStatus(play), 200);
    },
  ],
  [
    'Olga removes Dora from the workspace',
    async (play) => {
      const { olga, base, dora } = play;
      await olga.open(`${base}/people`);
      const row = olga.page.locator('li').filter({ hasText: dora.email });
      await olga.inputMethod.press(row.getByRole('link', { name: 'Actions for Dora' }));
      const form = row.locator('form[action$="/remove"]');
      await olga.inputMethod.press(row.getByText('Remove from workspace…'));
      await form.waitFor();
      await submitForm(olga.inputMethod, form, { button: /^Remove Dora/ });
      await row.waitFor({ state: 'detached' });
      assert.equal(await getKeyStatus(play), 401);
      assert.equal((await dora.open(base))?.status(), 404);
      await olga.open(`${base}/webhooks`);
      await olga.waitForText('Stopped: its creator lost access');
      await olga.open(`${base}/tasks?assignee=none`);
      await olga.waitForText('Sort the shelves');
    },
  ],
  [
    'Ann resets a forgotten password',
    async ({ ann }) => {
      await ann.open('/account');
      await ann.send('/sign-out', 'Sign out');
      await ann.waitForHeading('Sign in');
      await ann.follow('Forgot your password?');
      await ann.send('/forgot-password', 'Send link', { email: ann.email });
      await ann.openMail(/Reset your Edgework password/);
      await ann.send('/reset-password', 'Change password', { password: NEW_PASSWORD });
      await ann.page.locator('main').getByRole('link', { name: 'Sign in' }).waitFor();
      await ann.follow('Sign in');
      await ann.signIn(NEW_PASSWORD);
      await ann.waitForHeading('My work');
    },
  ],
  [
    'Ann changes her email address',
    async ({ ann }) => {
      await ann.open('/account');
      ann.email = `new.${ann.email}`;
      await ann.send('/account/email', 'Send link', { email: ann.email, password: NEW_PASSWORD });
      await ann.waitForText('We sent a link');
      await ann.openMail(/Confirm your new email address/);
      await ann.send('/confirm-email', 'Confirm address');
      await ann.waitForHeading('Email address changed');
      await ann.follow('Go to your account');
      await ann.waitForText(ann.email);
    },
  ],
  [
    'Bea deletes her account',
    async ({ bea, olga, base }) => {
      await bea.open('/account');
      await bea.send('/account/remove', 'Delete account', { email: bea.email, password: PASSWORD });
      await bea.page.waitForURL(`${server.origin}/`);
      await olga.open(`${base}/people`);
      await olga.waitForHeading('Members 3');
    },
  ],
  [
    'Carl leaves the workspace',
    async ({ carl, base }) => {
      await carl.open(`${base}/people`);
      await carl.send('/leave', 'Leave workspace');
      await carl.waitForText('not in a workspace');
    },
  ],
  [
    'Olga deletes a project',
    async ({ olga, base, addresses }) => {
      const own = addresses.get('Archive') ?? '';
      await olga.open(`${own}/settings`);
      await olga.send(`${own}/remove`, 'Delete project', { name: 'Archive' });
      await olga.page.waitForURL(`${server.origin}${base}/projects`);
      await olga.waitForText('Shop');
      assert.equal(await olga.page.getByText('Archive', { exact: true }).count(), 0);
    },
  ],
  [
    'Olga deletes the workspace',
    async ({ olga, ann, base }) => {
      await olga.open(`${base}/settings`);
      await olga.send('/settings/remove', 'Delete workspace', { name: 'Studio' });
      await olga.waitForText('not in a workspace');
      assert.equal((await ann.open(base))?.status(), 404);
    },
  ],
];

async function signUp(person: Person) {
  await person.open('/');
  await person.follow('Sign up');
  const { name, email } = person;
  await person.send('/sign-up', 'Create account', { name, email, password: PASSWORD });
  await person.waitForHeading('Check your email');
  await person.openMail(/Verify/i);
  await person.send('/verify-email', 'Verify email address');
  await person.waitForHeading('My work');
}

async function getKeyStatus({ key }: Journey): Promise<number> {
  const answer = await fetch(`${server.origin}/v1/me`, { headers: { Authorization: `Bearer ${key}` } });
  return answer.status;
}

// The journeys run concurrently, because a single journey leaves a core idle.
describe('a team signs up, runs its workspace and deletes it', { concurrency: inputMethods.length }, () => {
  for (const inputMethod of takeFirstOrAll(inputMethods)) {
    test(`by ${inputMethod.name}`, async (t) => {
      const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
      const people = await Promise.all(
        ['Olga', 'Ann', 'Bea', 'Carl', 'Dora'].map(async (name) => {
          // Sign-ins are rate-limited by IP address, so each journey uses its own.
          const extraHTTPHeaders = { 'CF-Connecting-IP': address };
          const context = await browser.newContext({ ...inputMethod.options, extraHTTPHeaders });
          return new Person(await context.newPage(), inputMethod, name);
        }),
      );
      const [olga, ann, bea, carl, dora] = people as [Person, Person, Person, Person, Person];
      const play: Journey = { olga, ann, bea, carl, dora, base: '', addresses: new Map(), key: '' };
      for (const [what, step] of steps) {
        const startedAt = Date.now();
        await step(play).catch((cause) => {
          throw new Error(`${inputMethod.name}: ${what}`, { cause });
        });
        t.diagnostic(`${what}: ${Date.now() - startedAt} ms`);
      }
      await Promise.all(people.map(({ page }) => page.context().close()));
    });
  }
});
