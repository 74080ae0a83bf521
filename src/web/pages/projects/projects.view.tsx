import { getReach } from '../../../kernel/access/capabilities.ts';
import { formatCount, formatNumber } from '../../../kernel/text/number-format.ts';
import type { ProjectOverview } from '../../../projects/operations/overview.ts';
import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { HeaderLink } from '../../components/header-link.tsx';
import { LetterTile } from '../../components/letter-tile.tsx';
import { Pager } from '../../components/pager.tsx';
import { Avatar } from '../../components/people.tsx';
import { setQueryParameter } from '../../components/set-query-parameter.ts';
import { type StatusDisplay, StatusLabel } from '../../components/status-and-priority.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { projectsOptionalReads, projectsParams, projectsReads } from './projects.tsx';

const AVATARS_SHOWN_MAX = 5;

type Props = ViewProps<typeof projectsParams, typeof projectsReads, typeof projectsOptionalReads>;

export function ProjectsView({ visit: { base, caller, address }, params, answers }: Props) {
  const { projects, statuses, taskStatuses } = answers;
  const isFiltered = params.q !== undefined || params.scope === 'mine';
  return (
    <>
      <header class="head">
        <h1>Projects</h1>
        <nav class="tabs" aria-label="Filter projects">
          <a href={`${base}/projects`} aria-current={params.scope === 'all' ? 'page' : undefined}>
            All
          </a>
          <a href={`${base}/projects?scope=mine`} aria-current={params.scope === 'mine' ? 'page' : undefined}>
            Mine
          </a>
        </nav>
        <HeaderLink href={`${base}/templates`} icon="layout-template" label="Templates" />
        {getReach(caller, 'createProjects') === 'none' ? null : (
          <HeaderLink href={`${base}/projects/new`} icon="plus" label="New project" isPrimary />
        )}
      </header>
      <ProjectFilters params={params} />
      {projects.data.length === 0 ? (
        <EmptyState icon="folder-kanban">
          <p>
            {isFiltered
              ? 'No matching projects.'
              : 'No projects yet. A project brings together tasks and the people working on them.'}
          </p>
        </EmptyState>
      ) : (
        <ul class="rows panel">
          {projects.data.map((project) => (
            <li>
              <LetterTile name={project.name} of={String(project.id)} />
              <a class="row-name" href={`${base}/projects/${project.id}`}>
                <bdi>{project.name}</bdi>
              </a>
              <ProjectProgress project={project} statuses={taskStatuses.data} />
              <span class="row-meta project-status">
                <StatusLabel status={statuses.data.find(({ value }) => value === project.status)} />
              </span>
              <span class="row-meta project-lead wide-only" title="Project lead">
                <bdi>{project.lead}</bdi>
              </span>
              <MemberAvatars people={project.people} />
            </li>
          ))}
        </ul>
      )}
      {params.show === 'all' ? null : (
        <p>
          <a href={setQueryParameter(address, 'show', 'all')}>Show completed projects</a>
        </p>
      )}
      <Pager meta={projects.meta} />
      <PendingDeletionsSection deletions={answers.deletions?.deletions ?? []} />
    </>
  );
}

type PendingDeletion = NonNullable<Props['answers']['deletions']>['deletions'][number];

/** Deleted projects are hidden immediately. A cron job removes their tasks in batches. */
function PendingDeletionsSection({ deletions }: { deletions: readonly PendingDeletion[] }) {
  // The newest task in a cell stays until another task is created (docs/adr/0018).
  const unfinished = deletions.filter(({ tasksLeft }) => tasksLeft > 1);
  if (unfinished.length === 0) return null;
  return (
    <section class="group" aria-labelledby="deletions">
      <h2 id="deletions">Being deleted</h2>
      <ul class="rows panel">
        {unfinished.map(({ id, name, tasks, tasksLeft }) => (
          <li id={`deletion-${id}`}>
            <span class="row-name">
              <bdi>{name}</bdi>
            </span>
            <progress aria-label={`Deletion progress of ${name}`} max={tasks} value={tasks - tasksLeft} />
            <span class="row-meta">
              {formatNumber(tasksLeft)} of {formatCount(tasks, 'task')} left
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ProjectFilters({ params }: Pick<Props, 'params'>) {
  const { address } = useVisit();
  const [path] = address.split('?');
  return (
    <form method="get" action={path} class="filters" aria-label="Find a project" data-live>
      {params.scope === 'mine' ? <input type="hidden" name="scope" value="mine" /> : null}
      {params.show ? <input type="hidden" name="show" value={params.show} /> : null}
      <input
        type="search"
        name="q"
        value={params.q}
        maxlength={200}
        placeholder="Find by name"
        aria-label="Name"
        autocomplete="off"
      />
      <button type="submit" class="plain">
        Find
      </button>
    </form>
  );
}

function ProjectProgress({
  project,
  statuses,
}: {
  project: ProjectOverview;
  statuses: readonly StatusDisplay[];
}) {
  const { progress, taskCount } = project;
  const parts = progress.map((number, index) => ({ number, status: statuses[index] }));
  // Completed tasks come first. Tasks that no one has started leave the bar empty.
  const started = parts.slice(1).reverse();
  const summary = parts
    .filter(({ number }) => number > 0)
    .map(({ number, status }) => `${number} ${status?.label ?? ''}`)
    .join(', ');
  const label = taskCount === 0 ? 'No tasks' : `${formatCount(taskCount, 'task')}: ${summary}`;
  let from = 0;
  return (
    <svg class="progress" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={label}>
      <title>{label}</title>
      <rect class="track" width="100" height="8" />
      {started.map(({ number, status }) => {
        const width = taskCount === 0 ? 0 : (number / taskCount) * 100;
        const x = from;
        from += width;
        return width === 0 ? null : (
          <rect x={x.toFixed(2)} width={width.toFixed(2)} height="8" fill={status?.color} />
        );
      })}
    </svg>
  );
}

function MemberAvatars({ people }: Pick<ProjectOverview, 'people'>) {
  const rest = people.length - AVATARS_SHOWN_MAX;
  return (
    <span class="avatar-stack wide-only">
      {people.slice(0, AVATARS_SHOWN_MAX).map((person) => (
        <Avatar person={person} />
      ))}
      {rest > 0 ? <small>+{rest}</small> : null}
    </span>
  );
}
