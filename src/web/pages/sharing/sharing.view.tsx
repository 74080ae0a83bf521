import { ProjectTabs } from '../../components/project-tabs.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { TaskTabs } from '../saved-filters/task-tabs.tsx';
import { IntakeFormSection } from './intake-form.view.tsx';
import { PublicLinksSection } from './public-links.view.tsx';
import type {
  filterSharingParams,
  filterSharingReads,
  projectSharingParams,
  projectSharingReads,
} from './sharing.tsx';

type NoReads = Record<never, never>;
export type ProjectSharingProps = ViewProps<typeof projectSharingParams, typeof projectSharingReads, NoReads>;
type FilterSharingProps = ViewProps<typeof filterSharingParams, typeof filterSharingReads, NoReads>;

export function ProjectSharingView({ visit: { base }, params: { project }, answers }: ProjectSharingProps) {
  const projectUrl = `${base}/projects/${project}`;
  return (
    <div class="column-page" data-project={project}>
      <header class="head">
        <h1>
          <bdi>{answers.links.name}</bdi>
        </h1>
        <ProjectTabs project={project} here="Settings" />
      </header>
      <PublicLinksSection links={answers.links} action={`${projectUrl}/links`} what="project" />
      <IntakeFormSection
        form={answers.intake.form}
        members={answers.members.data}
        problem={answers.links.problem}
        action={`${projectUrl}/intake`}
      />
      <p>
        <a href={`${projectUrl}/settings`}>Back to settings</a>
      </p>
    </div>
  );
}

export function FilterSharingView({
  visit: { base },
  params: { filter },
  answers: { links },
}: FilterSharingProps) {
  return (
    <div class="column-page">
      <header class="head">
        <h1>
          <bdi>{links.name}</bdi>
        </h1>
        <TaskTabs here="Saved filters" />
      </header>
      <PublicLinksSection links={links} action={`${base}/filters/${filter}/links`} what="filter" />
      <p>
        <a href={`${base}/filters`}>Back to saved filters</a>
      </p>
    </div>
  );
}
