import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { toPlainText } from '../../kernel/rich-text/plain-text.ts';
import { shorten } from '../../kernel/text/shorten.ts';
import { formatWording, type Vocabulary } from '../../kernel/text/wording.ts';
import type { NewChecklistItems } from '../../tasks/checklist-items.ts';
import { toMarkdownLine } from '../../tasks/checklists/change-checklist.ts';
import { fields } from '../../tasks/field-values.ts';
import { describeRecurrence } from '../../tasks/recurrence/describe-recurrence.ts';
import type { ItemProblem, StagedItem } from '../model/fold-items.ts';
import { getStagedRecurrence, type StagedValues } from '../model/staged-values.ts';
import type { PendingSet } from '../pending/pending-set.ts';
import type { DescribedItem } from './review.schema.ts';

const TEXT_CHARACTERS_MAX = 300;

type ItemNames = { readonly timezone: string } & Readonly<
  Record<'project' | 'member' | 'category' | 'type' | 'task', ReadonlyMap<number, string>>
>;

export function describeItems(
  { items, folded, state }: PendingSet,
  names: ItemNames,
  texts: ReadonlyMap<number, string>,
  words: Vocabulary,
): DescribedItem[] {
  const created = new Map(items.flatMap((item) => (item.operation === 'create' ? [[item.task, item]] : [])));
  return items.map((item) => {
    const stored = state.tasks.get(item.task);
    const draft = created.get(item.task);
    const project = stored?.project ?? Number(draft?.changes.project);
    const problem = folded.problems.get(item.no);
    return {
      no: item.no,
      task: item.task,
      isNew: draft !== undefined,
      name: stored?.name ?? String(draft?.changes.name ?? `Task ${item.task}`),
      project: names.project.get(project) ?? '',
      operation: item.operation,
      changes: describeChanges(item, folded.replaced.get(item.no) ?? {}, names, texts),
      problem: problem ? describeProblem(problem, words) : null,
      result: null,
    };
  });
}

function describeChanges(
  { no, operation, changes }: StagedItem,
  replaced: StagedValues,
  names: ItemNames,
  texts: ReadonlyMap<number, string>,
): DescribedItem['changes'] {
  if (operation === 'comment')
    return [
      { label: changes.reply_to === undefined ? 'Comment' : 'Reply', from: '', to: texts.get(no) ?? '' },
    ];
  if (operation === 'time') return [{ label: 'Time', from: '', to: formatTimeSpan(changes, names.timezone) }];
  const described = fields.flatMap(({ column, label, stored, names: options = [], initial, empty }) => {
    const to = changes[column];
    if (to === undefined) return [];
    if (operation === 'create' && (to === (initial ?? empty ?? null) || column === 'name')) return [];
    const show = (value: string | number | null | undefined, isNew: boolean): string => {
      if (value === null || value === undefined || value === empty) return '';
      switch (stored) {
        case 'html':
          return isNew ? shorten(toPlainText(texts.get(no) ?? ''), TEXT_CHARACTERS_MAX) : 'different text';
        case 'index':
          return (options[Number(value)] ?? '').replaceAll('_', ' ');
        case 'flag':
          return value === 1 ? 'yes' : 'no';
        case 'json':
          return (JSON.parse(String(value)) as string[]).join(', ');
        case 'members':
          return (JSON.parse(String(value)) as number[])
            .map((no) => names.member.get(no) ?? String(no))
            .join(', ');
        case 'task':
          return names.task.get(Number(value)) ?? '';
        case 'member':
        case 'category':
        case 'type':
          return names[stored].get(Number(value)) ?? String(value);
        default:
          return String(value);
      }
    };
    return [{ label, from: operation === 'create' ? '' : show(replaced[column], false), to: show(to, true) }];
  });
  return [
    ...described,
    ...(changes.checklist === undefined
      ? []
      : [
          {
            label: 'Checklist',
            from: formatChecklist(replaced.checklist),
            to: formatChecklist(changes.checklist),
          },
        ]),
    ...(changes.recurrence === undefined
      ? []
      : [{ label: 'Repeats', from: formatRecurrence(replaced), to: formatRecurrence(changes) }]),
  ];
}

function formatTimeSpan({ started_at, ended_at }: StagedValues, timezone: string): string {
  const [start, end] = [started_at, ended_at].map((at) => toWallClock(Number(at), timezone));
  if (!start || !end) return '';
  return `${start.date} ${start.time} to ${start.date === end.date ? '' : `${end.date} `}${end.time}`;
}

function formatRecurrence(changes: StagedValues): string {
  const rule = getStagedRecurrence({ changes });
  return rule ? describeRecurrence(rule) : '';
}

function formatChecklist(lines: StagedValues['checklist']): string {
  const parsed = typeof lines === 'string' ? (JSON.parse(lines) as NewChecklistItems) : [];
  return shorten(parsed.map(toMarkdownLine).join(', '), TEXT_CHARACTERS_MAX);
}

export function describeProblem(problem: ItemProblem, words: Vocabulary): string {
  switch (problem.kind) {
    case 'task':
      return 'The task no longer exists, or you can no longer see it.';
    case 'archived':
      return 'The task is archived.';
    case 'project':
      return 'The project no longer exists, or you can no longer see it.';
    case 'member':
      return 'The new assignee has left the workspace.';
    case 'parent':
      return 'The task has subtasks, and this change would apply to them as well.';
    case 'new-parent':
      return "The parent is a new task that won't be created.";
    case 'placement':
      return problem.error.code === 'not_found'
        ? 'The parent task no longer exists, or you can no longer see it.'
        : formatWording(problem.error.wording, { ...words, field: () => 'Parent task' });
    case 'reply':
      return 'The comment that this one replies to has been deleted.';
    case 'comments':
      return 'The task already has the maximum number of comments.';
    case 'time':
      return 'You have another time entry in this period.';
    case 'new-task':
      return "This changes a new task that won't be created.";
    case 'changed': {
      const field = fields.find(({ column }) => column === problem.column);
      return `Someone has edited the ${field?.noun ?? field?.name ?? problem.column} since the app proposed this change.`;
    }
  }
}
