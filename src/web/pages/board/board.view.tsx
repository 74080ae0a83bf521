import { toQueryString } from '../../../tasks/saved-filters/task-filter.ts';
import { ProjectTabs } from '../../components/project-tabs.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { boardOptionalReads, boardParams, boardReads } from './board.tsx';
import { groupCardsByColumn, isInManualOrder } from './columns.ts';
import { Board } from './columns.view.tsx';
import { BoardFilters } from './filters.view.tsx';

type Props = ViewProps<typeof boardParams, typeof boardReads, typeof boardOptionalReads>;

export function BoardView({ visit: { caller }, params, answers }: Props) {
  const { project, members, statuses, labels, fields } = answers;
  const columns = groupCardsByColumn(answers);
  const { q, sort, more, move, ...filter } = params;
  return (
    <div class="board-page" data-project={project.id}>
      <header class="head">
        <h1>
          <bdi>{project.name}</bdi>
        </h1>
        <ProjectTabs project={project.id} here="Board" />
      </header>
      <BoardFilters
        filter={params}
        labels={labels}
        fields={fields.data}
        parentName={answers.chosenParent?.name}
        people={{ people: { data: members.data, meta: { hasMore: false } }, without: [caller.userId] }}
        orders={[
          ['', 'Manual'],
          ['created', 'Newest first'],
          ['due', 'Deadline'],
        ]}
      />
      <Board
        statuses={statuses.data.filter(({ isShown }) => isShown)}
        columns={columns}
        labels={labels}
        more={more}
        move={move}
        isManual={sort === undefined && !q && !filter.due && isInManualOrder(filter)}
        hasMoreFound={answers.found?.meta.hasMore ?? false}
        list={toQueryString({ ...filter, q })}
        newTask={{ projectId: project.id }}
      />
    </div>
  );
}
