import { DateFilter, Filters } from '../../components/filters.tsx';
import type { Props } from './dashboard.view.tsx';

export function DashboardFilters({ params, answers }: Pick<Props, 'params' | 'answers'>) {
  const { q, project, team, assignee, projectStatus, status, from, to, mode } = params;
  const { projects, teams, people, statuses, columns, selectedProject, selectedTeam, selectedPerson } =
    answers;
  const toOptions = (named: readonly { value: string; label: string }[]) =>
    named.map(({ value, label }) => [value, label] as const);
  const unlisted = selectedTeam && !teams.data.some(({ id }) => id === selectedTeam.id) ? [selectedTeam] : [];
  const offeredTeams = [...unlisted, ...teams.data].map(({ id, name }) => [String(id), name] as const);
  return (
    <Filters
      label="Filter the dashboard"
      text={q}
      keptParams={['mode']}
      isSet={Boolean(project || team || assignee || projectStatus || status || from || to)}
      choices={[
        {
          name: 'project',
          label: 'Project',
          value: project,
          options: [['', 'All projects']],
          projects: {
            projects,
            current: selectedProject,
          },
        },
        {
          name: 'projectStatus',
          label: 'Project status',
          value: projectStatus,
          options: [['', 'Any project status'], ...toOptions(statuses.projects)],
        },
        {
          name: 'team',
          label: 'Team',
          value: team,
          options: [['', 'All teams'], ...offeredTeams],
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
            current: assignee === 'me' ? null : selectedPerson?.people[0],
          },
        },
        {
          name: 'status',
          label: 'Status',
          value: status,
          options: [['', 'Any status'], ...toOptions(columns?.data ?? statuses.tasks)],
        },
        {
          name: 'mode',
          label: 'Workload period',
          value: mode === 'daily' ? '' : mode,
          options: [
            ['', 'Workload: today'],
            ['monthly', 'Workload: this month'],
          ],
        },
      ]}
    >
      <DateFilter name="from" label="From" value={from} />
      <DateFilter name="to" label="to" ariaLabel="To" value={to} />
    </Filters>
  );
}
