import { getReach } from '../../../kernel/access/capabilities.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field, TextArea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { TemplateLinks } from '../../components/template-links.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { newProjectParams, newProjectReads } from './project-settings.tsx';

type Props = ViewProps<typeof newProjectParams, typeof newProjectReads, Record<never, never>>;

export function NewProjectView({ visit: { base, caller }, answers: { templates } }: Props) {
  if (getReach(caller, 'createProjects') === 'none') {
    return (
      <div class="column-page">
        <header class="head">
          <h1>New project</h1>
        </header>
        <EmptyState icon="folder-kanban">
          <p>Clients can't create projects. Ask a team member to create one and add you.</p>
          <a class="button plain" href={`${base}/projects`}>
            View projects
          </a>
        </EmptyState>
      </div>
    );
  }
  return (
    <div class="column-page">
      <header class="head">
        <h1>New project</h1>
      </header>
      <p class="hint">A project brings together tasks and the people working on them. You'll be its lead.</p>
      <TemplateLinks templates={templates} />
      <Form action={`${base}/projects`} class="panel padded">
        <Field name="name" label="Name" maxlength={200} autocomplete="off" isFocused />
        <TextArea name="description" label="Description" maxlength={10_000} isOptional hint="Optional" />
        <div class="actions">
          <button type="submit">Create project</button>
          <a class="button plain" href={`${base}/projects`}>
            Cancel
          </a>
        </div>
      </Form>
    </div>
  );
}
