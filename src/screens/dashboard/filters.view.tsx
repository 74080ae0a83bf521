import { DateFilter, Filters } from '../../web/components/filters.tsx';
import type { Props } from './dashboard.view.tsx';

/** The same filters as those of the list of tasks, and what the dashboard knows besides. */
export function DashboardFilters({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { q, project, team, assignee, projectStatus, status, from, to, mode } = params;
  const { projects, teams, people, statuses, chosenProject, chosenPerson } = answers;
  const optionsOf = (named: readonly { value: string; label: string }[]) =>
    named.map(({ value, label }) => [value, label] as const);
  const offeredTeams = teams.data.map(({ id, name }) => [String(id), name] as const);
  return (
    <Filters
      label="Filter the dashboard"
      text={q}
      kept={['mode']}
      isSet={Boolean(project || team || assignee || projectStatus || status || from || to)}
      choices={[
        {
          name: 'project',
          label: 'Project',
          value: project,
          options: [['', 'Every project']],
          projects: {
            projects,
            current:
              project === undefined ? null : (chosenProject ?? { id: project, name: 'Unknown project' }),
          },
        },
        {
          name: 'projectStatus',
          label: 'Project status',
          value: projectStatus,
          options: withChosen([['', 'Any project status'], ...optionsOf(statuses.projects)], projectStatus),
        },
        {
          name: 'team',
          label: 'Team',
          value: team,
          options: withChosen([['', 'Every team'], ...offeredTeams], team, 'Unknown team'),
        },
        {
          name: 'assignee',
          label: 'Assignee',
          value: assignee,
          options: [
            ['', 'Everyone'],
            ['me', 'Me'],
          ],
          people: {
            people,
            current:
              assignee === undefined || assignee === 'me'
                ? null
                : (chosenPerson?.people[0] ?? { id: assignee, name: 'Unknown person' }),
          },
        },
        {
          name: 'status',
          label: 'Status',
          value: status,
          options: [['', 'Any status'], ...optionsOf(statuses.tasks)],
        },
        {
          name: 'mode',
          label: 'Workload of',
          value: mode === 'daily' ? '' : mode,
          options: [
            ['', 'Hours of today'],
            ['monthly', 'Hours of this month'],
          ],
        },
      ]}
    >
      <DateFilter name="from" label="From" value={from} />
      <DateFilter name="to" label="to" says="To" value={to} />
    </Filters>
  );
}

type Option = readonly [value: string, label: string];

/** With what is filtered by, where it is none of those that are offered: a team that is gone, or of another workspace. */
function withChosen(
  options: readonly Option[],
  chosen: string | number | undefined,
  says?: string,
): Option[] {
  const value = String(chosen ?? '');
  const isOffered = options.some(([each]) => each === value);
  return isOffered ? [...options] : [...options, [value, says ?? value]];
}
