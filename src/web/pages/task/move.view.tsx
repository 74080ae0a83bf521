import { formatCount } from '../../../kernel/text/number-format.ts';
import { Form } from '../../components/form.tsx';
import { ProjectSelect } from '../../components/searchable-select.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { moveParams, moveReads } from './move.tsx';

type Props = ViewProps<typeof moveParams, typeof moveReads, Record<never, never>>;

export function MoveTaskToProjectView({ visit: { base }, answers: { task, projects } }: Props) {
  const taskUrl = `${base}/tasks/${task.id}`;
  const others = { ...projects, data: projects.data.filter(({ id }) => id !== task.project.id) };
  const subtasks = task.subtasks?.total ?? 0;
  return (
    <div class="column-page">
      <header class="head">
        <h1>Move to another project</h1>
      </header>
      <Form action={`${taskUrl}/project`} class="panel padded" label="Move to another project">
        <p>
          <bdi>{task.name}</bdi> is in <bdi>{task.project.name}</bdi>.
          {subtasks > 0 ? ` It has ${formatCount(subtasks, 'subtask')}.` : ''} Its subtasks, comments, files
          and tracked time move with it. People who can't see the new project will stop following the task.
        </p>
        <ProjectSelect
          name="projectId"
          label="Move to"
          first={[['', 'Choose a project']]}
          projects={others}
        />
        <div class="actions">
          <button type="submit">Move task</button>
          <a class="button plain" href={taskUrl}>
            Cancel
          </a>
        </div>
      </Form>
    </div>
  );
}
