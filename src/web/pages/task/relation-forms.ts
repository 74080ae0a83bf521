import { addRelation, deleteRelation } from '../../../tasks/relations/relations.ts';
import { listTaskRows } from '../../../time/reports/team-time.ts';
import { defineFieldResolver, defineForm } from '../../page-model/page.ts';

const MATCHES_MAX = 100;
const MATCHES_SHOWN_MAX = 3;
const TASK_TEXT_CHARACTERS_MAX = 200;
/** Matches `#12`, `12` or the `Name #12` of a suggestion. */
const TASK_NUMBER_PATTERN = /^(?:.*#)?(\d{1,15})$/;

export function toTaskSearch(text: string) {
  const number = TASK_NUMBER_PATTERN.exec(text)?.[1];
  return { scope: 'all' as const, ...(number === undefined ? { search: text } : { ids: [Number(number)] }) };
}

const otherTaskResolver = defineFieldResolver({
  operation: listTaskRows,
  input: (fields) => ({ ...toTaskSearch(readTaskText(fields)), limit: MATCHES_MAX }),
  of: ({ data, meta }, fields) => {
    const text = readTaskText(fields);
    if (text === '') return { problems: { task: 'Enter the name of a task, or # and its number.' } };
    const hasSameName = ({ name }: { name: string }) => name.trim().toLowerCase() === text.toLowerCase();
    const exact = data.filter(hasSameName);
    const matches = exact.length > 0 ? exact : data;
    const [only] = matches;
    if (only && matches.length === 1) return { input: { type: fields.get('type') ?? '', taskId: only.id } };
    return { problems: { task: describeMismatch(text, matches, meta.hasMore) } };
  },
});

function readTaskText(fields: URLSearchParams): string {
  return (fields.get('task') ?? '').trim().slice(0, TASK_TEXT_CHARACTERS_MAX);
}

function describeMismatch(
  text: string,
  matches: readonly { id: number; name: string }[],
  hasMore: boolean,
): string {
  if (matches.length === 0) return `No task matches “${text}”. Check the spelling, or type # and the number.`;
  const labels = matches.slice(0, MATCHES_SHOWN_MAX).map(({ id, name }) => `${name} #${id}`);
  const rest = hasMore || matches.length > labels.length ? ' and others' : '';
  return `Several tasks match: ${labels.join(', ')}${rest}. Type more of the name, or # and the number.`;
}

export const addRelationForm = defineForm({
  name: 'addRelation',
  path: '/tasks/:id/relations',
  operation: addRelation,
  resolver: otherTaskResolver,
});

/** The form contains everything needed to restore the relation. */
export const deleteRelationForm = defineForm({
  name: 'removeRelation',
  path: '/tasks/:id/relations/:relationId/remove',
  operation: deleteRelation,
  toInput: () => ({}),
  removal: 'undone',
  flash: ({ input: { id }, fields }) => ({
    text: 'Relation removed',
    undo: {
      path: `/tasks/${id}/relations`,
      fields: { type: fields.get('type') ?? '', task: fields.get('task') ?? '' },
    },
  }),
});
