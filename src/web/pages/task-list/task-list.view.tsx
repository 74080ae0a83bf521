import { BOUNDED_COUNT_MAX } from '../../../kernel/lists/bounded-count.ts';
import { formatCount } from '../../../kernel/text/number-format.ts';
import { OPEN_STATUS } from '../../../tasks/model/tasks.schema.ts';
import { BlockedBadge } from '../../components/blocked-badge.tsx';
import { CompleteButton, CompleteTasksForm } from '../../components/complete-button.tsx';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { NewTaskLink } from '../../components/new-task-link.tsx';
import { Pager } from '../../components/pager.tsx';
import { ParentTaskMark } from '../../components/parent-task-mark.tsx';
import { PickerData, PickerLink } from '../../components/picker-data.tsx';
import { ProjectTabs } from '../../components/project-tabs.tsx';
import { setQueryParameter } from '../../components/set-query-parameter.ts';
import { TagList } from '../../components/tags.tsx';
import { ChecklistProgress, RepeatIcon, SubtaskProgress } from '../../components/task-progress.tsx';
import type { RejectedForm, ViewProps } from '../../page-model/page.ts';
import { SaveFilterForms } from '../saved-filters/save-filter.view.tsx';
import { TaskTabs } from '../saved-filters/task-tabs.tsx';
import { BULK_FORM_ID, BulkEditForm } from './bulk-edit-form.view.tsx';
import { getVisibleColumns, type ListedTask } from './columns.tsx';
import {
  CellEditor,
  EditableCell,
  type EditableColumnName,
  editableColumnNames,
  isEditableColumn,
} from './editable-cells.view.tsx';
import { TaskFilters } from './filters.view.tsx';
import {
  isCountLimited,
  type taskListOptionalReads,
  type taskListParams,
  type taskListReads,
} from './task-list.reads.ts';

export type Props = ViewProps<typeof taskListParams, typeof taskListReads, typeof taskListOptionalReads>;

const TAGS_IN_ROW_MAX = 3;

export function TaskListView({ visit: { base, address }, params, answers }: Props) {
  const { tasks, saved, chosenProject } = answers;
  const [, query] = address.split('?');
  const filter = toSavedFilter(params);
  return (
    <div data-project={params.project}>
      <header class="head">
        <h1>
          <bdi>{saved?.name ?? chosenProject?.name ?? 'All tasks'}</bdi>
        </h1>
        {params.project === undefined || saved ? (
          <TaskTabs here="List" filter={filter} saved={saved} />
        ) : (
          <ProjectTabs project={params.project} here="List" />
        )}
        <SaveFilterForms filter={filter} saved={saved} />
        <a class="wide-only" href={`${base}/tasks.csv${query ? `?${query}` : ''}`} data-no-prefetch>
          Export CSV
        </a>
        <NewTaskLink known={toNewTaskValues(params)} />
      </header>
      <TaskFilters params={params} answers={answers} />
      {tasks.data.length === 0 ? (
        <EmptyState icon="layout-list">
          {query ? (
            <p>
              No matching tasks.{' '}
              <a href={`${base}/tasks${params.project === undefined ? '' : `?project=${params.project}`}`}>
                Clear filters
              </a>
            </p>
          ) : (
            <p>
              No tasks yet. <a href={`${base}/projects`}>Open a project</a> and add the first one.
            </p>
          )}
        </EmptyState>
      ) : (
        <>
          <CompleteTasksForm />
          <PickerData />
          <TaskTable params={params} answers={answers} />
          <BulkEditForm params={params} answers={answers} />
        </>
      )}
      <Pager meta={tasks.meta} countedTo={isCountLimited(params) ? BOUNDED_COUNT_MAX : undefined} />
    </div>
  );
}

function toSavedFilter({
  cols: _cols,
  edit: _edit,
  field: _field,
  offset: _offset,
  filter: _filter,
  ...filter
}: Props['params']) {
  return filter;
}

function toNewTaskValues({ project, status, priority, assignee }: Props['params']) {
  return {
    project,
    status: status?.find((each) => each !== OPEN_STATUS),
    priority: priority?.[0],
    assignee: assignee?.find((each) => each !== 'none'),
  };
}

function TaskTable({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { address } = useVisit();
  const { tasks } = answers;
  return (
    <div class="panel scroll-x">
      <table class="data tasks">
        <caption class="off-screen">
          {formatCount(tasks.meta.total, 'task', isCountLimited(params) ? BOUNDED_COUNT_MAX : undefined)}
        </caption>
        <thead>
          <tr>
            <td class="pick">
              <input type="checkbox" class="select-all" hidden aria-label="Select all tasks on this page" />
            </td>
            <th scope="col" class="name">
              Task
            </th>
            {getVisibleColumns(params, answers.fields.data).map(({ name, label, isWide }) => (
              <th
                scope="col"
                class={isWide ? 'wide-only' : undefined}
                aria-sort={name === 'deadline' && params.sort === 'due' ? 'ascending' : undefined}
              >
                {name === 'deadline' ? (
                  <a href={setQueryParameter(address, 'sort', params.sort === 'due' ? null : 'due')}>
                    {label}
                  </a>
                ) : (
                  label
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tasks.data.map((task) => (
            <TaskRow task={task} params={params} answers={answers} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TaskRow({ task, params, answers }: Pick<Props, 'params' | 'answers'> & { task: ListedTask }) {
  const { base, rejected } = useVisit();
  const statuses = answers.statuses.data;
  const columns = getVisibleColumns(params, answers.fields.data);
  const hasColumn = (column: string) => columns.some(({ name }) => name === column);
  const changed =
    findRejectedCell(rejected, `${base}/tasks/${task.id}`) ?? (params.edit === task.id && params.field);
  const tags = <TagList tags={task.tags} labels={answers.labels} max={TAGS_IN_ROW_MAX} />;
  return (
    <tr id={`task-${task.id}`}>
      <td class="pick">
        <input
          type="checkbox"
          name="ids"
          value={String(task.id)}
          form={BULK_FORM_ID}
          checked={rejected?.values.getAll('ids').includes(String(task.id)) ?? false}
          aria-label={`Select ${task.name}`}
        />
      </td>
      <td class="name">
        {task.isArchived ? null : <CompleteButton task={task} nameId={`name-${task.id}`} />}
        <a id={`name-${task.id}`} href={`${base}/tasks/${task.id}`}>
          {task.name}
        </a>
        {task.parent && !hasColumn('parent') ? <ParentTaskMark name={task.parent.name} /> : null}
        <BlockedBadge task={task} />
        {task.subtasks && task.subtasks.total > 0 && !hasColumn('subtasks') ? (
          <SubtaskProgress of={task.subtasks} />
        ) : null}
        {task.checklist && task.checklist.total > 0 && !hasColumn('checklist') ? (
          <ChecklistProgress of={task.checklist} />
        ) : null}
        {hasColumn('tags') ? null : task.isArchived ? (
          tags
        ) : (
          <PickerLink task={task} name="tags">
            {task.tags.length > 0 ? tags : null}
          </PickerLink>
        )}
        {task.isRecurring && !hasColumn('repeat') ? <RepeatIcon /> : null}
      </td>
      {columns.map(({ name, label, isWide, text, show }) => (
        <td class={isWide ? 'wide-only' : undefined}>
          {!isEditableColumn(name) || task.isArchived ? (
            show(task, statuses, answers.labels)
          ) : changed === name ? (
            <CellEditor task={task} name={name} label={label} statuses={statuses} people={answers.people} />
          ) : (
            <EditableCell task={task} name={name} label={label} text={text(task, statuses)}>
              {show(task, statuses, answers.labels)}
            </EditableCell>
          )}
        </td>
      ))}
    </tr>
  );
}

/** Finds the cell whose edit was rejected, so that it stays open with the rejected value. */
function findRejectedCell(rejected: RejectedForm | null, action: string): EditableColumnName | undefined {
  if (rejected?.action !== action) return undefined;
  const field = rejected.values.get('field');
  return editableColumnNames.find((name) => name === (field === 'assigneeId' ? 'assignee' : field));
}
