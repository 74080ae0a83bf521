import { getReach } from '../../../kernel/access/capabilities.ts';
import { taskFields } from '../../../tasks/fields.ts';
import { Confirmation } from '../../components/confirmation.tsx';
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
  const templateUrl = `${base}/templates/${template.id}`;
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
        <NewTaskFromTemplateForm
          template={template}
          projects={projects}
          project={params.project ?? template.projectId}
          templateUrl={templateUrl}
        />
      ) : (
        <NewProjectFromTemplateForm template={template} templateUrl={templateUrl} />
      )}
      <TemplateTasks template={template} templateUrl={templateUrl} />
      {template.mayChange ? (
        <TemplateSettingsSection template={template} projects={projects} templateUrl={templateUrl} />
      ) : null}
      {template.mayChange ? (
        <Confirmation label="Delete template…" action={`${templateUrl}/remove`} confirm="Delete template">
          <p>Tasks and projects that were created from it are kept. This can't be undone.</p>
        </Confirmation>
      ) : null}
    </div>
  );
}

interface TemplateSectionProps {
  template: Template;
  templateUrl: string;
}

interface TemplateFormProps extends TemplateSectionProps {
  projects: Props['answers']['projects'];
}

function NewTaskFromTemplateForm({
  projects,
  project,
  templateUrl,
}: TemplateFormProps & { project: number | null }) {
  const selectedProject = projects.data.find(({ id }) => id === project);
  return (
    <Form action={`${templateUrl}/tasks`} class="panel padded" label="New task from this template">
      <h2>New task from this template</h2>
      <div class="field-grid">
        <ProjectSelect
          name="projectId"
          label="Project"
          value={String(selectedProject?.id ?? '')}
          first={selectedProject || projects.data.length === 1 ? [] : [['', 'Choose a project']]}
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

function NewProjectFromTemplateForm({ template, templateUrl }: TemplateSectionProps) {
  const { base, caller } = useVisit();
  if (getReach(caller, 'createProjects') === 'none') return null;
  return (
    <Form action={`${templateUrl}/projects`} class="panel padded" label="New project from this template">
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

function TemplateSettingsSection({ template, projects, templateUrl }: TemplateFormProps) {
  const { name, description, projectId } = template;
  return (
    <section class="group" aria-labelledby="template-settings">
      <h2 id="template-settings">Settings</h2>
      <Form
        action={templateUrl}
        class="panel padded"
        label="Template settings"
        snapshot={{ name, description, projectId }}
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
