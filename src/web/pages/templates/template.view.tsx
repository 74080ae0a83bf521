import { getReach } from '../../../kernel/access/capabilities.ts';
import { taskFields } from '../../../tasks/fields.ts';
import { Confirmation } from '../../components/confirm.tsx';
import { useVisit } from '../../components/context.ts';
import { Field, TextArea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { ProjectSelect } from '../../components/searchable-select.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { TemplateTasks } from './template-tasks.view.tsx';
import type { templateParams, templateReads } from './templates.tsx';

type Props = ViewProps<typeof templateParams, typeof templateReads, Record<never, never>>;
type Template = Props['answers']['template'];

export function TemplateView({ visit: { base }, params, answers: { template, projects } }: Props) {
  const own = `${base}/templates/${template.id}`;
  return (
    <div class="column-page">
      <p class="crumbs">
        <a href={`${base}/templates`}>Templates</a>
        <span aria-hidden="true">/</span>
        <span>{template.kind === 'task' ? 'Task' : 'Project'}</span>
      </p>
      <header class="head">
        <h1>
          <bdi>{template.name}</bdi>
        </h1>
      </header>
      {template.kind === 'task' ? (
        <UseForTask
          template={template}
          projects={projects}
          project={params.project ?? template.projectId}
          own={own}
        />
      ) : (
        <UseForProject template={template} own={own} />
      )}
      <TemplateTasks template={template} own={own} />
      {template.mayChange ? <TemplateFields template={template} projects={projects} own={own} /> : null}
      {template.mayChange ? (
        <Confirmation label="Delete template" action={`${own}/remove`} confirm="Delete template">
          <p>Tasks and projects that were created from it are kept. You can't undo this.</p>
        </Confirmation>
      ) : null}
    </div>
  );
}

interface PartProps {
  template: Template;
  own: string;
}

interface ChoiceProps extends PartProps {
  projects: Props['answers']['projects'];
}

function UseForTask({ projects, project, own }: ChoiceProps & { project: number | null }) {
  const known = projects.data.find(({ id }) => id === project);
  return (
    <Form action={`${own}/tasks`} class="panel padded" label="New task from this template">
      <h2>New task from this template</h2>
      <div class="field-grid">
        <ProjectSelect
          name="projectId"
          label="Project"
          value={String(known?.id ?? '')}
          first={known || projects.data.length === 1 ? [] : [['', 'Choose a project']]}
          projects={projects}
        />
        <Field
          name="deadline"
          id="new-deadline"
          label={taskFields.deadline.label}
          type="date"
          isOptional
          hint="Optional"
        />
      </div>
      <button type="submit">Create task</button>
    </Form>
  );
}

function UseForProject({ template, own }: PartProps) {
  const { base, caller } = useVisit();
  if (getReach(caller, 'createProjects') === 'none') return null;
  return (
    <Form action={`${own}/projects`} class="panel padded" label="New project from this template">
      <h2>New project from this template</h2>
      <Field
        name="name"
        id="new-name"
        label="Project name"
        value={template.name.slice(0, 200)}
        maxlength={200}
        autocomplete="off"
      />
      <Field
        name="startDate"
        id="new-start"
        label="First day"
        type="date"
        isOptional
        hint="Optional. Dates are calculated from this day. Defaults to today."
      />
      <div class="actions">
        <button type="submit">Create project</button>
        <a class="button plain" href={`${base}/templates`}>
          Cancel
        </a>
      </div>
    </Form>
  );
}

function TemplateFields({ template, projects, own }: ChoiceProps) {
  const { name, description, projectId } = template;
  return (
    <section class="group" aria-labelledby="template-settings">
      <h2 id="template-settings">Settings</h2>
      <Form
        action={own}
        class="panel padded"
        label="Template settings"
        shown={{ name, description, projectId }}
      >
        <Field name="name" label="Name" value={name} maxlength={500} autocomplete="off" />
        <TextArea
          name="description"
          label="Description"
          value={description ?? ''}
          maxlength={2_000}
          isOptional
        />
        <ProjectSelect
          name="projectId"
          id="template-project"
          label="Available in"
          value={projectId === null ? '' : String(projectId)}
          first={[
            ['', 'All projects'],
            ...(projectId === null || projects.data.some(({ id }) => id === projectId)
              ? []
              : [[String(projectId), `Project ${projectId}`] as const]),
          ]}
          projects={projects}
        />
        <button type="submit">Save</button>
      </Form>
    </section>
  );
}
