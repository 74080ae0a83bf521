import { reachOf } from '../../kernel/capabilities.ts';
import { Blank } from '../../web/components/blank.tsx';
import { Icon } from '../../web/components/icon.tsx';
import { Pager } from '../../web/components/pager.tsx';
import { Avatar } from '../../web/components/people.tsx';
import { count } from '../../web/components/time.tsx';
import { Status } from '../../web/components/work.tsx';
import type { ViewProps } from '../../web/page-model/page.ts';
import type { projectsParams, projectsReads } from './projects.tsx';

const FACES_SHOWN = 5;
const over = new Set(['completed', 'cancelled']);

type Props = ViewProps<typeof projectsParams, typeof projectsReads, Record<never, never>>;
type Project = Props['answers']['projects']['data'][number];

export function ProjectsView({ visit: { base, caller }, params, answers: { projects, statuses } }: Props) {
  const shown =
    params.show === 'all' ? projects.data : projects.data.filter(({ status }) => !over.has(status));
  const hidden = projects.data.length - shown.length;
  return (
    <>
      <header class="head">
        <h1>Projects</h1>
        <nav class="tabs" aria-label="Which projects">
          <a href={`${base}/projects`} aria-current={params.scope === 'all' ? 'page' : undefined}>
            All
          </a>
          <a href={`${base}/projects?scope=mine`} aria-current={params.scope === 'mine' ? 'page' : undefined}>
            Mine
          </a>
        </nav>
        {reachOf(caller, 'createProjects') === 'none' ? null : (
          <a class="button" href={`${base}/projects/new`}>
            <Icon name="plus" />
            New project
          </a>
        )}
      </header>
      {projects.data.length === 0 ? (
        <Blank icon="folder-kanban">
          <p>
            No project is here yet. A project holds the tasks of one piece of work, and the people who do it.
          </p>
        </Blank>
      ) : (
        <ul class="rows panel">
          {shown.map((project) => (
            <li>
              <a class="row-name" href={`${base}/projects/${project.id}`}>
                <bdi>{project.name}</bdi>
              </a>
              <span class="row-fact">
                <Status status={statuses.data.find(({ value }) => value === project.status)} />
              </span>
              <span class="row-fact number wide-only">{count(project.taskCount, 'task')}</span>
              <Faces project={project} />
            </li>
          ))}
        </ul>
      )}
      {hidden > 0 ? (
        <p>
          <a href={`${base}/projects?show=all`}>Show {count(hidden, 'project')} that ended</a>
        </p>
      ) : null}
      <Pager meta={projects.meta} />
    </>
  );
}

function Faces({ project: { members = [] } }: { project: Project }) {
  const rest = members.length - FACES_SHOWN;
  return (
    <span class="faces wide-only">
      {members.slice(0, FACES_SHOWN).map((person) => (
        <Avatar person={person} />
      ))}
      {rest > 0 ? <small>+{rest}</small> : null}
    </span>
  );
}
