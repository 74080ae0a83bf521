import { getReach } from '../../../kernel/access/capabilities.ts';
import { FIELDS_PER_PROJECT_MAX } from '../../../tasks/custom-fields/custom-fields.schema.ts';
import { ChoiceGroup } from '../../components/choices.tsx';
import { Confirmation } from '../../components/confirm.tsx';
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
import { ProjectColumns } from './columns.view.tsx';
import type { projectSettingsParams, projectSettingsReads } from './project-settings.tsx';

type Props = ViewProps<typeof projectSettingsParams, typeof projectSettingsReads, Record<never, never>>;
type Answers = Props['answers'];

export function ProjectSettingsView({ visit: { base, caller }, answers }: Props) {
  const { settings } = answers;
  const own = `${base}/projects/${settings.id}`;
  return (
    <div class="column-page" data-project={settings.id}>
      <header class="head">
        <h1>
          <bdi>{settings.name}</bdi>
        </h1>
        <ProjectTabs project={settings.id} here="Settings" />
      </header>
      {settings.mayChange ? (
        <ProjectFields answers={answers} own={own} />
      ) : (
        <p class="text">
          <LinkedText text={settings.description ?? ''} />
        </p>
      )}
      {settings.mayChange ? <ProjectColumns columns={answers.columns.data} own={own} /> : null}
      <ProjectMembers answers={answers} own={own} />
      <CustomFields answers={answers} own={own} />
      {settings.mayChange ? <LeadSection answers={answers} own={own} /> : null}
      {getReach(caller, 'importTasks') === 'all' ? <ImportTasks own={own} /> : null}
      {getReach(caller, 'saveTemplates') === 'none' ? null : <SaveAsTemplate own={own} />}
      {getReach(caller, 'deleteProjects') === 'all' ? <DeleteProject answers={answers} own={own} /> : null}
    </div>
  );
}

function ImportTasks({ own }: { own: string }) {
  const { base } = useVisit();
  return (
    <section class="group" aria-labelledby="import-tasks">
      <h2 id="import-tasks">Import</h2>
      <p class="hint">
        Bring tasks from Trello, Jira, Linear, Asana, a spreadsheet or another product: add their CSV file, or
        the JSON export of a Trello board, to <a href={`${own}/files`}>the files of this project</a> and
        choose “Import tasks”. <a href={`${base}/imports`}>See all imports</a>
      </p>
    </section>
  );
}

function SaveAsTemplate({ own }: { own: string }) {
  return (
    <section class="group" aria-labelledby="save-as-template">
      <h2 id="save-as-template">Template</h2>
      <p class="hint">
        A template keeps the columns, custom fields, and tasks with their checklists, relations and dates.
      </p>
      <Form action={`${own}/template`}>
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
  own: string;
}

function ProjectFields({ answers: { settings, statuses }, own }: SettingsSectionProps) {
  const { name, description, status } = settings;
  return (
    <Form action={own} class="panel padded" shown={{ name, description, status }}>
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
        hint="Completed and cancelled projects are hidden from the list. Their tasks are kept."
      />
      <button type="submit">Save</button>
    </Form>
  );
}

function ProjectMembers({ answers: { settings, members, people }, own }: SettingsSectionProps) {
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
            <span class="row-meta">{member.isOwner ? 'project lead' : member.role}</span>
            {settings.mayChange && !member.isOwner ? (
              <RemoveMember member={member} action={`${own}/people/${member.id}/remove`} />
            ) : null}
          </li>
        ))}
      </ul>
      {settings.mayChange && isAnyoneLeft ? (
        <Form action={`${own}/people`} class="add-row" label="Add people">
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

/** Removing a client requires confirmation, because undo can't restore followed tasks. */
function RemoveMember({ member, action }: { member: Answers['members']['data'][number]; action: string }) {
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

function CustomFields({ answers: { settings, fields: custom }, own }: SettingsSectionProps) {
  const { base } = useVisit();
  const { fields, mayChange } = custom;
  if (!mayChange && fields.length === 0) return null;
  const used = fields.filter(({ isOn }) => isOn);
  const ids = used.map(({ number }) => number);
  return (
    <section class="group" aria-labelledby="fields">
      <h2 id="fields">
        Fields <span class="number">{used.length}</span>
      </h2>
      {mayChange && fields.length > 0 ? (
        <Form action={`${own}/fields`} class="panel padded" label="Fields" shown={{ fieldIds: ids }}>
          <input type="hidden" name="fieldIds" value="" />
          <input type="hidden" name="was" value={ids.join(',')} />
          <ChoiceGroup
            name="fieldIds"
            legend="Task fields in this project"
            type="checkbox"
            value={ids.map(String)}
            options={fields.map(({ number, name }) => [String(number), <bdi>{name}</bdi>])}
            hint={`Up to ${FIELDS_PER_PROJECT_MAX}. Values are kept when you turn a field off.`}
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

function LeadSection({ answers: { members }, own }: SettingsSectionProps) {
  const heirs = members.data.filter(({ isOwner, role }) => !isOwner && role !== 'client');
  if (heirs.length === 0) return null;
  return (
    <details class="edit group">
      <summary>Change project lead</summary>
      <Form action={`${own}/owner`} class="add-row">
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

function DeleteProject({ answers: { settings }, own }: SettingsSectionProps) {
  return (
    <DeleteForm what="project" action={`${own}/remove`} name={settings.name} class="edit group">
      This deletes its tasks, comments, files and time entries for everyone.
    </DeleteForm>
  );
}
