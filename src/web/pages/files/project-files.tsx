import * as z from 'zod';
import { downloadProjectAttachment, listProjectAttachments } from '../../../files/attachments/attachments.ts';
import { removeProjectFile as removeFile } from '../../../files/attachments/remove.ts';
import { restoreProjectFile as restoreFile } from '../../../files/attachments/restore.ts';
import { integerId } from '../../../kernel/operation/schema.ts';
import { getProject } from '../../../projects/operations/projects.ts';
import { Pager } from '../../components/pager.tsx';
import { ProjectTabs } from '../../components/project-tabs.tsx';
import { defineForm, definePage, type ViewProps } from '../../page-model/page.ts';
import { buildUndoneMessage } from '../task-list/undo-form.ts';
import { buildFileRemovedMessage } from './file-removed-message.ts';
import { FilesSection } from './files.view.tsx';

const FILES_SHOWN_MAX = 50;

const projectFilesParams = z.object({ project: integerId, offset: z.int().min(0).default(0) });
const projectFilesReads = { project: getProject, files: listProjectAttachments };

export const projectFilesPage = definePage({
  name: 'projectFiles',
  path: '/projects/:project/files',
  title: ({ answers }) => `Files · ${answers.project.name}`,
  params: projectFilesParams,
  reads: projectFilesReads,
  inputs: ({ project, offset }) => ({
    project: { id: project },
    files: { id: project, limit: FILES_SHOWN_MAX, offset },
  }),
  view: ProjectFilesView,
  script: 'task',
});

function ProjectFilesView({
  visit,
  answers,
}: ViewProps<typeof projectFilesParams, typeof projectFilesReads, Record<never, never>>) {
  const { project, files } = answers;
  const projectUrl = `${visit.base}/projects/${project.id}`;
  return (
    <div class="column-page" data-project={project.id}>
      <header class="head">
        <h1>
          <bdi>{project.name}</bdi>
        </h1>
        <ProjectTabs project={project.id} here="Files" />
      </header>
      <FilesSection
        parentUrl={projectUrl}
        target={{ projectId: project.id }}
        files={files.data}
        total={files.meta.total}
        isLead={project.owner.id === visit.caller.userId}
      />
      <Pager meta={files.meta} />
    </div>
  );
}

export const downloadProjectFilePage = definePage({
  name: 'downloadProjectFile',
  path: '/projects/:project/files/:file',
  title: () => 'Download',
  params: z.object({ project: integerId, file: integerId }),
  reads: { file: downloadProjectAttachment },
  inputs: ({ project, file }) => ({ file: { id: project, attachmentId: file } }),
  redirectTo: ({ file }) => file.url,
  view: () => null,
});

export const removeProjectFileForm = defineForm({
  name: 'removeProjectFile',
  path: '/projects/:id/files/:attachmentId/remove',
  operation: removeFile,
  toInput: () => ({}),
  removal: 'undone',
  flash: ({ input, fields }) => buildFileRemovedMessage(`/projects/${input.id}`, fields),
});
export const restoreProjectFileForm = defineForm({
  name: 'restoreProjectFile',
  path: '/projects/:id/files/:attachmentId/restore',
  operation: restoreFile,
  flash: buildUndoneMessage,
});
