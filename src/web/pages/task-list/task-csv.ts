import { listStatusesInProject } from '../../../projects/operations/project-columns.ts';
import { listFieldChoices } from '../../../tasks/custom-fields/list-custom-fields.ts';
import { listTaskRows } from '../../../time/reports/team-time.ts';
import { defineCsvFile } from '../../page-model/csv-file.ts';
import { getVisibleColumns } from './columns.tsx';
import { buildTaskQuery, taskListParams } from './task-list.reads.ts';

export const tasksCsv = defineCsvFile({
  name: 'tasksCsv',
  path: '/tasks.csv',
  params: taskListParams,
  list: listTaskRows,
  input: buildTaskQuery,
  reads: { statuses: listStatusesInProject, fields: listFieldChoices },
  inputs: ({ project }) => ({ statuses: { projectId: project }, fields: { project } }),
  columns: (params, { statuses, fields }) => [
    { label: 'Number', text: ({ id }) => String(id) },
    { label: 'Task', text: ({ name }) => name },
    ...getVisibleColumns(params, fields.data).map(({ label, text }) => ({
      label,
      text: (task: Parameters<typeof text>[0]) => text(task, statuses.data),
    })),
  ],
});
