import { describeTaskMatchProblem, matchTasks } from '../../../search/lookup/match-names.ts';
import { addRelation, deleteRelation } from '../../../tasks/relations/relations.ts';
import { listTaskRows } from '../../../time/reports/team-time.ts';
import { toTaskSearch } from '../../components/task-search.ts';
import { defineFieldResolver, defineForm } from '../../page-model/page.ts';

const MATCHES_MAX = 100;
const TASK_TEXT_CHARACTERS_MAX = 200;

const otherTaskResolver = defineFieldResolver({
  fields: ['task'],
  operation: listTaskRows,
  input: (fields) => ({ ...toTaskSearch(readTaskText(fields)), limit: MATCHES_MAX }),
  of: ({ data, meta }, fields) => {
    const text = readTaskText(fields);
    if (text === '') return { problems: { task: 'Enter the name of a task, or # and its number.' } };
    const matches = matchTasks(text, data);
    const [only] = matches;
    if (only && matches.length === 1) return { input: { type: fields.get('type') ?? '', taskId: only.id } };
    const total = meta.hasMore ? meta.total : matches.length;
    return { problems: { task: describeTaskMatchProblem(text, matches, total) } };
  },
});

function readTaskText(fields: URLSearchParams): string {
  return (fields.get('task') ?? '').trim().slice(0, TASK_TEXT_CHARACTERS_MAX);
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
