import { CalendarTabs } from '../../components/calendar-tabs.tsx';
import { Chip } from '../../components/chip.tsx';
import { FormProvider, useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { PICKER_FORM_PREFIX, PickerData } from '../../components/picker-data.tsx';
import { ProjectTabs } from '../../components/project-tabs.tsx';
import { ProjectSelect } from '../../components/searchable-select.tsx';
import { setQueryParameter } from '../../components/set-query-parameter.ts';
import { formatShortDate } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import {
  getAdjacentDay,
  getTimelineDays,
  type timelineOptionalReads,
  type timelineParams,
  type timelineReads,
} from './timeline.reads.ts';
import { KEYS_HINT_ID, TimelineTable } from './timeline-table.view.tsx';

type Props = ViewProps<typeof timelineParams, typeof timelineReads, typeof timelineOptionalReads>;

export function TimelineView({ visit, params, answers }: Props) {
  const { base, address, today } = visit;
  const { day, who, project } = params;
  const { from, to } = getTimelineDays(day ?? today);
  const { timeline, statuses, selectedProject } = answers;
  return (
    <div data-project={project}>
      <header class="head">
        <h1>{selectedProject ? <bdi>{selectedProject.name}</bdi> : 'Timeline'}</h1>
        {selectedProject ? <ProjectTabs project={selectedProject.id} here="Timeline" /> : null}
        <nav class="tabs" aria-label="Change weeks">
          <WeeksLink id="earlier" label="Earlier weeks" icon="chevron-left" day={getAdjacentDay(from, -1)} />
          <a id="today" href={setQueryParameter(address, 'day', null)} data-in-place>
            Today
          </a>
          <WeeksLink id="later" label="Later weeks" icon="chevron-right" day={getAdjacentDay(from, 1)} />
        </nav>
        {selectedProject ? null : (
          <CalendarTabs here="Timeline" day={day} isEveryone={who !== 'me'} project={project} />
        )}
      </header>
      <PickerData />
      <TimelineFilters params={params} answers={answers} />
      {timeline.tasks.length === 0 ? (
        <EmptyState icon="calendar">
          <p>
            No tasks from {formatShortDate(from, today)} to {formatShortDate(to, today)}. Tasks with a
            deadline appear here.
          </p>
        </EmptyState>
      ) : (
        <>
          <TimelineTable
            tasks={timeline.tasks}
            statuses={statuses.data}
            from={from}
            to={to}
            isSingleProject={selectedProject !== null}
          />
          <p id={KEYS_HINT_ID} class="hint scripted-only timeline-keys">
            Drag a bar to move a task, or press Shift with an arrow key.
          </p>
        </>
      )}
      {timeline.hasMore ? (
        <p class="hint">
          Some tasks aren't shown.{' '}
          <a href={`${base}/tasks?${buildListQuery(params, { from, to })}`}>View all as a list</a>
        </p>
      ) : null}
      <Form
        action={`${base}/tasks/0`}
        id="move-bar"
        label="Move a task"
        of={{ field: `${PICKER_FORM_PREFIX}deadline` }}
      >
        <input type="hidden" name="shown" value="" />
        <input type="hidden" name="startDate" value="" disabled />
        <input type="hidden" name="deadline" value="" />
      </Form>
    </div>
  );
}

function buildListQuery(
  { project, who }: Props['params'],
  days: { from: string; to: string },
): URLSearchParams {
  return new URLSearchParams({
    sort: 'due',
    ...days,
    ...(project !== undefined && { project: String(project) }),
    ...(who && { assignee: who }),
  });
}

interface WeeksLinkProps {
  id: string;
  label: string;
  icon: 'chevron-left' | 'chevron-right';
  day: string | null;
}

function WeeksLink({ id, label, icon, day }: WeeksLinkProps) {
  const { address } = useVisit();
  if (day === null) return null;
  return (
    <a id={id} href={setQueryParameter(address, 'day', day)} aria-label={label} data-in-place>
      <Icon name={icon} />
    </a>
  );
}

function TimelineFilters({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { address, rejected } = useVisit();
  const [path] = address.split('?');
  return (
    <form method="get" action={path} class="filters filter-menu" aria-label="Filter the timeline" data-auto>
      <FormProvider value={rejected?.action === path ? rejected : null}>
        {params.day ? <input type="hidden" name="day" value={params.day} /> : null}
        <Chip pick="list" isSet content={params.who === 'me' ? 'Only me' : 'Everyone'}>
          <select name="who" aria-label="People">
            <option value="">Everyone</option>
            <option value="me" selected={params.who === 'me'}>
              Only me
            </option>
          </select>
        </Chip>
        <Chip
          pick="list"
          icon="folder-kanban"
          isSet
          content={answers.selectedProject?.name ?? 'All projects'}
        >
          <ProjectSelect
            name="project"
            label="Project"
            isLabelHidden
            value={String(params.project ?? '')}
            first={[['', 'All projects']]}
            projects={answers.projects}
            current={answers.selectedProject}
          />
        </Chip>
        <button type="submit" class="plain auto">
          Show
        </button>
      </FormProvider>
    </form>
  );
}
