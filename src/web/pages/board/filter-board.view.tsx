import {
  listVisibleStatuses,
  type TaskFilter,
  toQueryString,
} from '../../../tasks/saved-filters/task-filter.ts';
import { buildProjectChoice, buildStatusChoice } from '../../components/filter-choices.ts';
import type { ViewProps } from '../../page-model/page.ts';
import { SaveFilterForms } from '../saved-filters/save-filter.view.tsx';
import { TaskTabs } from '../saved-filters/task-tabs.tsx';
import { groupCardsByColumn } from './columns.ts';
import { Board } from './columns.view.tsx';
import type { filterBoardOptionalReads, filterBoardParams, filterBoardReads } from './filter-board.reads.ts';
import { BoardFilters } from './filters.view.tsx';

type Props = ViewProps<typeof filterBoardParams, typeof filterBoardReads, typeof filterBoardOptionalReads>;

export function FilterBoardView({ visit, params, answers }: Props) {
  const { statuses, people, projects, selectedPeople, selectedProject, saved, labels, fields } = answers;
  const columns = groupCardsByColumn(answers, listVisibleStatuses(params.status));
  const { more, move, filter: _saved, ...filter } = params;
  const { project, status, from, to } = filter;
  return (
    <div class="board-page">
      <header class="head">
        <h1>
          <bdi>{saved?.name ?? 'All tasks'}</bdi>
        </h1>
        <TaskTabs here="Board" filter={filter} saved={saved} />
        <SaveFilterForms filter={filter} saved={saved} />
      </header>
      <BoardFilters
        filter={filter}
        labels={labels}
        fields={fields.data}
        parentName={answers.chosenParent?.name}
        isSet={Boolean(project || status || from || to)}
        before={[
          buildProjectChoice(project, { projects, current: selectedProject }),
          buildStatusChoice(status, statuses.data),
        ]}
        people={{ people, current: selectedPeople?.people }}
        orders={[
          ['', 'Newest first'],
          ['due', 'Deadline'],
        ]}
      >
        {saved ? <input type="hidden" name="filter" value={String(saved.id)} /> : null}
      </BoardFilters>
      <Board
        statuses={statuses.data.filter(({ value, isShown }) => isShown || status?.includes(value))}
        columns={columns}
        labels={labels}
        more={more}
        move={move}
        isManual={false}
        hasMoreFound={answers.found?.meta.hasMore ?? false}
        list={toQueryString(filter)}
        newTask={getNewTaskFields(filter, visit)}
      />
    </div>
  );
}

/**
 * New tasks get the filter's project, priority and assignee, so that they appear on the board. Returns null if no
 * project is selected, or if a filter such as a tag or a deadline could hide the new task.
 */
function getNewTaskFields(filter: TaskFilter, { caller }: Props['visit']) {
  const {
    project,
    assignee: assignees = [],
    priority: priorities = [],
    status: _status,
    sort: _sort,
    ...others
  } = filter;
  if (project === undefined || Object.values(others).some(Boolean)) return null;
  const [priority] = priorities;
  const [assignee] = assignees.includes('none') ? [] : assignees;
  return {
    projectId: project,
    ...(priority && { priority }),
    ...(assignee && { assigneeId: assignee === 'me' ? caller.userId : assignee }),
  };
}
