import { reachOf } from '../../../kernel/access/capabilities.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Field, TextArea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import type { Visit } from '../../page-model/page.ts';

export function NewProjectView({ visit: { base, caller } }: { visit: Visit }) {
  if (reachOf(caller, 'createProjects') === 'none') {
    return (
      <div class="column-page">
        <header class="head">
          <h1>New project</h1>
        </header>
        <EmptyState icon="folder-kanban">
          <p>Clients work in the projects they are invited to. Ask somebody of the team to make one.</p>
          <a class="button plain" href={`${base}/projects`}>
            Look at the projects
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
      <p class="hint">
        A project holds the tasks of one piece of work, and the people who do it. You lead it.
      </p>
      <Form action={`${base}/projects`} class="panel padded">
        <Field name="name" label="Name" maxlength={200} autocomplete="off" isFocused />
        <TextArea
          name="description"
          label="What is it about?"
          maxlength={10_000}
          isOptional
          hint="May stay empty."
        />
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
