import type { Child } from 'hono/jsx';
import type * as z from 'zod';
import { describeRule } from '../../../meetings/recurrence/describe-rule.ts';
import type { activity } from '../../../tasks/activities/activities.schema.ts';
import type { user } from '../../../workspaces/reference/reference.schema.ts';
import { useVisit } from '../../components/context.ts';
import { Avatar } from '../../components/people.tsx';
import type { StatusDisplay } from '../../components/status-and-priority.tsx';
import { RelativeTime } from '../../components/time.tsx';
import { describeField } from '../../server/error-text.ts';

type Activity = z.output<typeof activity>;

export interface NameLookup {
  statuses: readonly StatusDisplay[];
  people: readonly z.output<typeof user>[];
}

export function HistoryEntry({ entry, names }: { entry: Activity; names: NameLookup }) {
  const { names: named } = useVisit();
  const actor = entry.via === 'form' ? intakeForm : entry.actor;
  return (
    <li class="change">
      <Avatar person={actor} hasVisibleName />
      <span>
        <strong>{actor.name}</strong> {describeActivity(entry, { ...names, named })}
        <ActivitySource entry={entry} /> · <RelativeTime at={entry.createdAt} />
      </span>
    </li>
  );
}

/** Tasks from an intake form belong to the project lead, who didn't create them. */
const intakeForm = { name: 'Intake form' };

export function ActivitySource({ entry: { via } }: { entry: Pick<Activity, 'via'> }) {
  return via === 'session' || via === 'form' ? null : <> ({sourceLabels[via]})</>;
}

const sourceLabels = {
  api_key: 'via API key',
  oauth: 'via an app',
  mcp: 'via an agent',
  system: 'automatically',
  form: '',
  session: '',
};

const activityPhrases: Readonly<Partial<Record<Activity['type'], string>>> = {
  created: 'created the task',
  description_changed: 'changed the description',
  comment_added: 'commented',
  comment_edited: 'edited a comment',
  comment_removed: 'deleted a comment',
  attachment_added: 'added a file',
  attachment_removed: 'removed a file',
  archived: 'archived the task',
  unarchived: 'restored the task',
  duplicated: 'created this copy',
  subtasks_changed: 'reordered the subtasks',
  deleted: 'deleted the task',
  restored: 'restored the task from the trash',
  moved: 'moved the task to another project',
};

interface NamesWithMentions extends NameLookup {
  named: ReadonlyMap<string, string>;
}

function describeActivity(activity: Activity, names: NamesWithMentions): Child {
  if (activity.type === 'created' && activity.to !== null) {
    return (
      <>
        created the task for <bdi>{activity.to}</bdi>
      </>
    );
  }
  const sentence = activityPhrases[activity.type];
  if (sentence) return sentence;
  if (activity.type === 'checklist_changed') return describeChecklistChange(activity);
  if (activity.type === 'recurrence_changed') return describeRecurrenceChange(activity);
  if (activity.type === 'relations_changed') return describeRelationChange(activity);
  const fieldName = activity.field === null ? 'a field' : describeField(activity.field);
  const [from, to] = [activity.from, activity.to].map((value) =>
    formatActivityValue(value, activity.type, names),
  );
  if (to === null) return `removed ${fieldName}${from ? ` (${from})` : ''}`;
  return (
    <>
      {`set ${fieldName} to `}
      <bdi>{to}</bdi>
      {from ? ` (was ${from})` : null}
    </>
  );
}

/** The values are recurrence rules. They are equal if only the mode (when the next task is created) changed. */
function describeRecurrenceChange({ from, to }: Activity): Child {
  const [before, after] = [from, to].map((rule) => (rule === null ? null : describeRule(rule)));
  if (after === null) return `stopped the task from repeating (was ${before})`;
  if (before === after) return 'changed when the next task is created';
  return `set the task to repeat ${after}${before === null ? '' : ` (was ${before})`}`;
}

const CHECKLIST_MARK_PATTERN = /^\[[ x]\] /;

/** The values are items such as `[x] Book the venue`. Both are null if several items changed. */
function describeChecklistChange({ from, to }: Activity): Child {
  const [before, after] = [from, to].map((line) => line?.replace(CHECKLIST_MARK_PATTERN, '') ?? null);
  if (before === after && before !== null) {
    return (
      <>
        {to?.startsWith('[x]') ? 'completed ' : 'reopened '}
        <bdi>{after}</bdi>
      </>
    );
  }
  if (after !== null) {
    return (
      <>
        {before === null ? 'added to the checklist: ' : 'changed a checklist item: '}
        <bdi>{after}</bdi>
      </>
    );
  }
  return before === null ? 'changed the checklist' : `removed from the checklist: ${before}`;
}

const relationPhrases: Readonly<Record<string, string>> = {
  blocks: 'blocks',
  blocked_by: 'blocked by',
  relates_to: 'related to',
  duplicates: 'duplicates',
  duplicated_by: 'duplicated by',
};

/** The values are strings such as `blocked_by 12`. Both are null if the person can't see the other task. */
function describeRelationChange({ from, to }: Activity): string {
  const [type = '', id = ''] = (to ?? from ?? '').split(' ');
  if (id === '') return 'changed a relation';
  return `${to === null ? 'removed' : 'added'} a relation: ${relationPhrases[type] ?? type} #${id}`;
}

function formatActivityValue(
  value: string | null,
  type: Activity['type'],
  { statuses, people, named }: NamesWithMentions,
): string | null {
  if (value === null) return null;
  if (type === 'status_changed') return statuses.find((each) => each.value === value)?.label ?? value;
  if (type === 'assignee_changed' || type === 'assignees_changed')
    return value
      .split(', ')
      .map((person) => people.find(({ id }) => id === person)?.name ?? named.get(person) ?? 'a former member')
      .join(', ');
  return type === 'parent_changed' ? `#${value}` : value;
}
