import { wallClock } from '../../kernel/dates/civil.ts';
import type { AppError } from '../../kernel/errors/errors.ts';
import { SecretShownBefore } from '../../kernel/sql/idempotency-key.ts';
import { say, type Words } from '../../kernel/text/wording.ts';
import { fields } from '../../tasks/field-values.ts';
import { toSentence } from './to-sentence.ts';

/** What a person calls the places that messages point to. */
const places: Readonly<Record<string, string>> = {
  listTasks: 'the list of tasks',
  listProjects: 'the list of projects',
  listUsers: 'the list of people',
  listTaskCategories: 'the list of categories',
  listTaskTypes: 'the list of types',
  listConnectedApps: 'the page Connected apps',
  unarchiveTask: 'the button Restore',
  startTimer: 'the button Start timer',
  listWebhooks: 'the list of webhooks',
  rotateWebhookSecret: 'the button New secret',
  deleteWebhook: 'its button Delete',
  listTimeEntries: 'the page Time',
  stopTimer: 'the button Stop timer',
  listTeams: 'the page Teams',
};

const nounsOfTasks = fields.flatMap(({ name, inputName, noun = name }) => [
  [name, noun],
  [inputName, noun],
]);

const nouns: Readonly<Record<string, string>> = {
  ...Object.fromEntries(nounsOfTasks),
  projectId: 'project',
  url: 'address',
  after: 'number',
  startTime: 'start',
  endTime: 'end',
  parentId: 'other team',
  projectIds: 'projects',
};

/** What a person calls a field of an operation. */
export function fieldNoun(field: string): string {
  return `the ${nouns[field] ?? field}`;
}

/** The words of the web app, for messages of operations. */
const webWords: Words = {
  call: (operation) => places[operation] ?? 'the app',
  field: fieldNoun,
  takes: () => true,
  takesOne: () => false,
  item: (index) => `Task ${index + 1} of those you chose`,
};

/** People know each other by their names; the page says who was chosen. */
const PEOPLE = /'usr_\w+'(?:, 'usr_\w+')*/g;
const INSTANTS = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** A refusal as a person reads it, with times on the clock of their workspace. */
export function describeError(error: AppError, timezone = 'UTC'): string {
  if (error.code === 'not_found') return 'This is not there any more, or it is not yours to see.';
  if (error.code === 'internal') {
    return 'Something failed on our side, and nothing was changed. Try again in a moment.';
  }
  if (error instanceof SecretShownBefore) {
    return 'This was done before. The secret was shown then and only then: if you did not keep it, make a new one.';
  }
  const said = say(error.wording, webWords).replace(INSTANTS, (at) => {
    const { date, time } = wallClock(Date.parse(at), timezone);
    return `${date} ${time}`;
  });
  return toSentence(said.replace(PEOPLE, 'this person'));
}
