import { addDays, getMonthRange } from '../../../kernel/dates/civil-date.ts';
import { CalendarTabs } from '../../components/calendar-tabs.tsx';
import { Chip } from '../../components/chip.tsx';
import { FormProvider, useVisit } from '../../components/context.ts';
import { Form } from '../../components/form.tsx';
import { HeaderLink } from '../../components/header-link.tsx';
import { Icon } from '../../components/icon.tsx';
import { PickerData } from '../../components/picker-data.tsx';
import { ProjectSelect } from '../../components/searchable-select.tsx';
import { setQueryParameter } from '../../components/set-query-parameter.ts';
import { formatMonth, formatShortDate } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { calendarOptionalReads, calendarParams, calendarReads } from './calendar.reads.ts';
import { getVisibleDays } from './calendar.reads.ts';
import { CalendarLinkSection } from './calendar-link.view.tsx';
import { CalendarDays } from './days.view.tsx';

export type Props = ViewProps<typeof calendarParams, typeof calendarReads, typeof calendarOptionalReads>;

export function CalendarView({ visit, params, answers }: Props) {
  const { base, address, today } = visit;
  const { view, day = today } = params;
  const { from, to } = getVisibleDays(view, day);
  const month = getMonthRange(day);
  const [before, after] =
    view === 'week' ? [addDays(day, -7), addDays(day, 7)] : [addDays(month.from, -1), addDays(month.to, 1)];
  const name =
    view === 'week' ? `${formatShortDate(from, today)} – ${formatShortDate(to, today)}` : formatMonth(day);
  return (
    <div data-project={params.project}>
      <header class="head">
        <h1>{name}</h1>
        <nav class="tabs" aria-label={`Change ${view}`}>
          <a
            id="earlier"
            href={setQueryParameter(address, 'day', before)}
            aria-label={`Previous ${view}`}
            data-in-place
          >
            <Icon name="chevron-left" />
          </a>
          <a id="today" href={setQueryParameter(address, 'day', null)} data-in-place>
            Today
          </a>
          <a
            id="later"
            href={setQueryParameter(address, 'day', after)}
            aria-label={`Next ${view}`}
            data-in-place
          >
            <Icon name="chevron-right" />
          </a>
        </nav>
        <CalendarTabs
          here={view === 'month' ? 'Month' : 'Week'}
          day={params.day}
          isEveryone={params.who === 'all'}
          project={params.project}
        />
        <HeaderLink href={`${base}/meetings/new`} icon="plus" label="New meeting" isPrimary />
      </header>
      <PickerData />
      <CalendarFilters params={params} answers={answers} />
      <CalendarDays params={params} answers={answers} />
      {answers.tasks.meta.hasMore ? (
        <p class="hint">
          Some deadlines aren't shown.{' '}
          <a href={`${base}/tasks?sort=due&from=${from}&to=${to}`}>View all as a list</a>
        </p>
      ) : null}
      {answers.meetings.isCut ? (
        <p class="hint">Some meetings aren't shown. Choose a project to see all of its meetings.</p>
      ) : null}
      <CalendarLinkSection feed={answers.feed} />
      <Form action={`${base}/meetings/0`} id="move-meeting">
        <input type="hidden" name="date" value="" />
      </Form>
      <Form action={`${base}/tasks/0`} id="move-deadline" of={{ field: 'deadline' }}>
        <input type="hidden" name="deadline" value="" />
      </Form>
    </div>
  );
}

function CalendarFilters({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { address, rejected } = useVisit();
  const [path] = address.split('?');
  const project = answers.selectedProject;
  return (
    <form method="get" action={path} class="filters filter-menu" aria-label="Filter the calendar" data-auto>
      <FormProvider value={rejected?.action === path ? rejected : null}>
        <input type="hidden" name="view" value={params.view} />
        {params.day ? <input type="hidden" name="day" value={params.day} /> : null}
        <Chip pick="list" isSet content={params.who === 'all' ? 'Everyone' : 'Only me'}>
          <select name="who" aria-label="People">
            <option value="">Only me</option>
            <option value="all" selected={params.who === 'all'}>
              Everyone
            </option>
          </select>
        </Chip>
        <Chip pick="list" icon="folder-kanban" isSet content={project?.name ?? 'All projects'}>
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
