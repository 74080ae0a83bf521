// This file is long because the settings of a project, from its columns to its deletion, are on one page.
import { getReach } from '../../../kernel/access/capabilities.ts';
import { FIELDS_PER_PROJECT_MAX } from '../../../tasks/custom-fields/custom-fields.schema.ts';
import { ChoiceGroup } from '../../components/choice-group.tsx';
import { Confirmation } from '../../components/confirmation.tsx';
import { useVisit } from '../../components/context.ts';
import { DeleteForm } from '../../components/delete-form.tsx';
import { Field, Select, TextArea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { LinkedText } from '../../components/linked-text.tsx';
import { PersonName } from '../../components/people.tsx';
import { ProjectTabs } from '../../components/project-tabs.tsx';
import { PersonSelect } from '../../components/searchable-select.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { roleLabels } from '../people/roles.ts';
import { ProjectColumnsSection } from './columns.view.tsx';
import type { projectSettingsParams, projectSettingsReads } from './project-settings.tsx';

type Props = ViewProps<typeof projectSettingsParams, typeof projectSettingsReads, Record<never, never>>;
type Answers = Props['answers'];

export function ProjectSettingsView({ visit: { base, caller }, answers }: Props) {
  const { settings } = answers;
  const projectUrl = `${base}/projects/${settings.id}`;
  return (
    <div class="column-page" data-project={settings.id}>
      <header class="head">
        <h1>
          <bdi>{settings.name}</bdi>
        </h1>
        <ProjectTabs project={settings.id} here="Settings" />
      </header>
      {settings.mayChange ? (
        <ProjectDetailsForm answers={answers} projectUrl={projectUrl} />
      ) : (
        <p class="text">
          <LinkedText text={settings.description ?? ''} />
        </p>
      )}
      {settings.mayChange ? (
        <ProjectColumnsSection columns={answers.columns.data} projectUrl={projectUrl} />
      ) : null}
      {settings.mayChange ? <SharingSection projectUrl={projectUrl} /> : null}
      <ProjectMembersSection answers={answers} projectUrl={projectUrl} />
      <CustomFieldsSection answers={answers} projectUrl={projectUrl} />
      {settings.mayChange ? <ProjectLeadForm answers={answers} projectUrl={projectUrl} /> : null}
      {getReach(caller, 'importTasks') === 'all' ? <ImportSection projectUrl={projectUrl} /> : null}
      {getReach(caller, 'saveTemplates') === 'none' ? null : <TemplateSection projectUrl={projectUrl} />}
      {getReach(caller, 'deleteProjects') === 'all' ? (
        <DeleteProjectForm answers={answers} projectUrl={projectUrl} />
      ) : null}
    </div>
  );
}

function ImportSection({ projectUrl }: { projectUrl: string }) {
  const { base } = useVisit();
  return (
    <section class="group" aria-labelledby="import-tasks">
      <h2 id="import-tasks">Import</h2>
      <p class="hint">
        Import tasks from Trello, Jira, Linear, Asana, a spreadsheet or another product: add a CSV file, or
        the JSON export of a Trello board, to <a href={`${projectUrl}/files`}>this project's files</a>, then
        choose “Import tasks”. <a href={`${base}/imports`}>See all imports</a>
      </p>
    </section>
  );
}

function SharingSection({ projectUrl }: { projectUrl: string }) {
  return (
    <section class="group" aria-labelledby="sharing">
      <h2 id="sharing">Sharing</h2>
      <p class="hint">
        Share this project with people outside the workspace, or let them send requests.{' '}
        <a href={`${projectUrl}/sharing`}>Public links and intake form</a>
      </p>
    </section>
  );
}

function TemplateSection({ projectUrl }: { projectUrl: string }) {
  return (
    <section class="group" aria-labelledby="save-as-template">
      <h2 id="save-as-template">Template</h2>
      <p class="hint">
        The template will include the columns, the custom fields, and the tasks with their checklists,
        relations and dates.
      </p>
      <Form action={`${projectUrl}/template`}>
        <button type="submit" class="plain">
          <Icon name="layout-template" />
          Save as template
        </button>
      </Form>
    </section>
  );
}

interface SettingsSectionProps {
  answers: Answers;
  projectUrl: string;
}

function ProjectDetailsForm({ answers: { settings, statuses }, projectUrl }: SettingsSectionProps) {
  const { name, description, status } = settings;
  return (
    <Form action={projectUrl} class="panel padded" snapshot={{ name, description, status }}>
      <Field name="name" label="Name" value={name} maxlength={200} autocomplete="off" />
      <TextArea
        name="description"
        label="Description"
        value={description ?? ''}
        maxlength={10_000}
        isOptional
      />
      <Select
        name="status"
        label="Status"
        value={status}
        options={statuses.data.map(({ value, label }) => [value, label])}
        hint="Completed and canceled projects are hidden from the list of projects. Their tasks are kept."
      />
      <button type="submit">Save</button>
    </Form>
  );
}

function ProjectMembersSection({ answers: { settings, members, people }, projectUrl }: SettingsSectionProps) {
  const inside = members.data.map(({ id }) => id);
  const isAnyoneLeft = people.meta.total > members.data.length;
  return (
    <section class="group" aria-labelledby="people">
      <h2 id="people">
        People <span class="number">{members.data.length}</span>
      </h2>
      <ul class="rows panel">
        {members.data.map((member) => (
          <li>
            <span class="row-name">
              <PersonName person={member} />
            </span>
            <span class="row-meta">{member.isOwner ? 'Project lead' : roleLabels[member.role]}</span>
            {settings.mayChange && !member.isOwner ? (
              <RemoveMemberForm member={member} action={`${projectUrl}/people/${member.id}/remove`} />
            ) : null}
          </li>
        ))}
      </ul>
      {settings.mayChange && isAnyoneLeft ? (
        <Form action={`${projectUrl}/people`} class="add-row" label="Add people">
          <PersonSelect name="userIds" label="Person" isLabelHidden people={people} without={inside} />
          <button type="submit" class="plain">
            <Icon name="plus" />
            Add to project
          </button>
        </Form>
      ) : null}
    </section>
  );
}

/** Asks for confirmation before removing a client, because undo couldn't restore which tasks the client followed. */
function RemoveMemberForm({
  member,
  action,
}: {
  member: Answers['members']['data'][number];
  action: string;
}) {
  const label = `Remove ${member.name} from the project`;
  if (member.role === 'client') {
    return (
      <Confirmation
        label={label}
        isInRow
        action={action}
        confirm="Remove from project"
        of={{ role: member.role }}
      >
        <p>{member.name} will lose access to the project's tasks and stop following them.</p>
      </Confirmation>
    );
  }
  return (
    <Form action={action} of={{ role: member.role }}>
      <button type="submit" class="quiet" aria-label={label}>
        <Icon name="x" />
      </button>
    </Form>
  );
}

function CustomFieldsSection({ answers: { settings, fields: custom }, projectUrl }: SettingsSectionProps) {
  const { base } = useVisit();
  const { fields, mayChange } = custom;
  if (!mayChange && fields.length === 0) return null;
  const used = fields.filter(({ isOn }) => isOn);
  const ids = used.map(({ number }) => number);
  return (
    <section class="group" aria-labelledby="fields">
      <h2 id="fields">
        Custom fields <span class="number">{used.length}</span>
      </h2>
      {mayChange && fields.length > 0 ? (
        <Form
          action={`${projectUrl}/fields`}
          class="panel padded"
          label="Custom fields"
          snapshot={{ fieldIds: ids }}
        >
          <input type="hidden" name="fieldIds" value="" />
          <input type="hidden" name="was" value={ids.join(',')} />
          <ChoiceGroup
            name="fieldIds"
            legend="Used in this project"
            type="checkbox"
            value={ids.map(String)}
            options={fields.map(({ number, name }) => [String(number), <bdi>{name}</bdi>])}
            hint={`Up to ${FIELDS_PER_PROJECT_MAX} fields. Values are kept when you turn a field off.`}
          />
          <button type="submit">Save</button>
        </Form>
      ) : null}
      {mayChange ? (
        <a class="button plain" href={`${base}/fields?project=${settings.id}#new-field`}>
          <Icon name="plus" />
          New field
        </a>
      ) : (
        <p>{used.map(({ name }) => name).join(', ') || 'None'}</p>
      )}
    </section>
  );
}

function ProjectLeadForm({ answers: { members }, projectUrl }: SettingsSectionProps) {
  const heirs = members.data.filter(({ isOwner, role }) => !isOwner && role !== 'client');
  if (heirs.length === 0) return null;
  return (
    <details class="edit group">
      <summary>Change project lead</summary>
      <Form action={`${projectUrl}/owner`} class="add-row">
        <Select
          name="userId"
          label="New lead"
          isLabelHidden
          options={heirs.map(({ id, name }) => [id, name])}
        />
        <button type="submit" class="plain">
          Change lead
        </button>
      </Form>
    </details>
  );
}

function DeleteProjectForm({ answers: { settings }, projectUrl }: SettingsSectionProps) {
  return (
    <DeleteForm
      noun="project"
      action={`${projectUrl}/remove`}
      name={settings.name}
      class="confirmation group"
    >
      This also deletes the project's tasks, comments, files and time entries, for everyone.
    </DeleteForm>
  );
}
