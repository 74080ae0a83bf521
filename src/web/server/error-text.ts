import { toWallClock } from '../../kernel/dates/civil-date.ts';
import type { AppError } from '../../kernel/errors/errors.ts';
import { SecretAlreadyShownError } from '../../kernel/sql/idempotency-key.ts';
import { formatWording, type Vocabulary } from '../../kernel/text/wording.ts';
import { fields } from '../../tasks/field-values.ts';
import { toSentence } from './to-sentence.ts';

const operationNames: Readonly<Record<string, string>> = {
  listTasks: 'the list of tasks',
  listTemplates: 'the list of templates',
  listProjects: 'the Projects page',
  listProjectMembers: "the project's Settings page",
  listUsers: 'the People page',
  listTaskCategories: 'the Categories and types page',
  listTaskTypes: 'the Categories and types page',
  listConnectedApps: 'the Connected apps page',
  login: 'the sign-in form',
  unarchiveTask: 'the Restore button',
  listTrash: 'the Trash page',
  setRecurrence: "the next task's Repeat field",
  startTimer: 'the Start timer button',
  listWebhooks: 'the list of webhooks',
  rotateWebhookSecret: 'the Replace secret button',
  deleteWebhook: 'its Delete button',
  listTimeEntries: 'the Time page',
  stopTimer: 'the Stop timer button',
  listTeams: 'the Teams page',
  listCustomFields: 'the Custom fields page',
};

const taskFieldNouns = fields.flatMap(({ name, inputName, noun = name }) => [
  [name, noun],
  [inputName, noun],
]);

const fieldNouns: Readonly<Record<string, string>> = {
  ...Object.fromEntries(taskFieldNouns),
  projectId: 'project',
  url: 'URL',
  after: 'number',
  startTime: 'start',
  endTime: 'end',
  projectIds: 'projects',
  participantIds: 'participants',
  fieldIds: 'fields',
  expiresAt: 'expiry date',
  taskId: 'task',
  from: 'first day',
  to: 'last day',
  dueFrom: 'first day',
  dueTo: 'last day',
};

export function describeField(field: string): string {
  return `the ${fieldNouns[field] ?? field}`;
}

const webErrorWords: Vocabulary = {
  call: (operation) => operationNames[operation] ?? 'the app',
  field: describeField,
  // The app has no filter by creation date.
  takes: (name) => name !== 'createdFrom' && name !== 'createdTo',
  takesOne: () => false,
  item: (index, id) => (id === undefined ? `Selected task ${index + 1}` : `#${id}`),
};

/** Ids mean nothing to people, so messages omit them. */
const PERSON_IDS_PATTERN = /(?:the assignees? )?'usr_\w+'(?:, 'usr_\w+')*/g;
const FIELD_PATHS_PATTERN = /the custom fields\.cf_\d+/g;
/** Names of fields and pages begin with "the", even at the start of a sentence. */
const LOWERCASE_START_PATTERN = /(?<=\. )the /g;
const TIMESTAMP_PATTERN = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

export function toErrorText(error: AppError, timezone = 'UTC'): string {
  if (error.code === 'not_found') return "This no longer exists, or you don't have access to it.";
  if (error.status === 503) return "Can't reach your data right now. Try again in a few seconds.";
  if (error.code === 'internal') {
    return 'Something went wrong on our end. Nothing was changed. Try again in a moment.';
  }
  if (error instanceof SecretAlreadyShownError) {
    return "You already submitted this form, and the new secret is shown only once. If you didn't save it, create another.";
  }
  const text = formatWording(error.wording, webErrorWords).replace(TIMESTAMP_PATTERN, (at) => {
    const { date, time } = toWallClock(Date.parse(at), timezone);
    return `${date} ${time}`;
  });
  return toSentence(
    text
      .replace(PERSON_IDS_PATTERN, (ids) => (ids.includes(',') ? 'these people' : 'this person'))
      .replace(FIELD_PATHS_PATTERN, 'this field')
      .replace(LOWERCASE_START_PATTERN, 'The '),
  );
}
