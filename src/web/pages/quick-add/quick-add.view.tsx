import type * as z from 'zod';
import { QUICK_ADD_CHARACTERS_MAX } from '../../../tasks/quick-add/quick-add.schema.ts';
import { describeRecurrence } from '../../../tasks/recurrence/describe-recurrence.ts';
import { useRejectedForm, useVisit } from '../../components/context.ts';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { QUICK_ADD_HINT } from '../../components/quick-add-hint.ts';
import { ProjectSelect } from '../../components/searchable-select.tsx';
import { priorityLabels } from '../../components/status-and-priority.tsx';
import { formatShortDate, formatWeekday } from '../../components/time.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { buildPreviewFingerprint, PREVIEW_FIELD } from './preview-fingerprint.ts';
import type { quickAddOptionalReads, quickAddParams, quickAddReads } from './quick-add.tsx';

type Props = ViewProps<typeof quickAddParams, typeof quickAddReads, typeof quickAddOptionalReads>;

export function QuickAddView({ visit: { base }, params: { name, projectId }, answers }: Props) {
  return (
    <>
      <header class="head">
        <h1>Add a task</h1>
        <a href={base}>Back to My work</a>
      </header>
      <QuickAddForm
        projects={answers.projects}
        project={projectId}
        text={name}
        understood={answers.understood}
        isFocused
      />
    </>
  );
}

interface QuickAddFormProps {
  projects: Parameters<typeof ProjectSelect>[0]['projects'];
  project: number | undefined;
  text?: string | undefined;
  understood?: Props['answers']['understood'];
  isFocused: boolean;
}

export function QuickAddForm({ projects, project, text, understood = null, isFocused }: QuickAddFormProps) {
  const { base } = useVisit();
  const listed = { data: projects.data, meta: { hasMore: false } };
  const [firstProject] = projects.data;
  if (!firstProject) return null;
  const understoodProject = project ?? understood?.project?.id;
  const listedProject = projects.data.find(({ id }) => id === understoodProject);
  // A preview without a project asks for one, so the list must not preselect any.
  const selected = listedProject ?? (understood ? undefined : firstProject);
  const projectId = String(selected?.id ?? '');
  return (
    <Form action={`${base}/tasks/add`} class="quick-add previewed" label="Add a task">
      <Field
        name="name"
        label="Task name"
        isLabelHidden
        value={text}
        maxlength={QUICK_ADD_CHARACTERS_MAX}
        autocomplete="off"
        placeholder="Add a task…"
        hint={QUICK_ADD_HINT}
        isFocused={isFocused}
      />
      {/* The text can also name projects that aren't listed. */}
      <ProjectSelect
        name="projectId"
        label="Project"
        isLabelHidden
        value={projectId}
        first={selected ? [] : [['', 'Choose a project']]}
        projects={listed}
      />
      <button type="submit">Add</button>
      <button type="submit" class="plain unscripted-only" name="look" value="first">
        Preview
      </button>
      <div id="understood" aria-live="polite" data-kept>
        {understood ? <TaskPreview understood={understood} text={text ?? ''} projectId={projectId} /> : null}
      </div>
    </Form>
  );
}

interface TaskPreviewProps {
  understood: z.output<typeof quickAddOptionalReads.understood.output>;
  text: string;
  projectId: string;
}

function TaskPreview({ understood, text, projectId }: TaskPreviewProps) {
  const { caller, today } = useVisit();
  const rejected = useRejectedForm();
  const { name, assignees, deadline, dueTime, recurrence, priority, tags, project, parent } = understood;
  const { problems, notes } = understood;
  const fingerprint = buildPreviewFingerprint(understood, new URLSearchParams({ name: text, projectId }));
  const details = [
    ...assignees.map((person) => <bdi>{person.id === caller.userId ? 'You' : person.name}</bdi>),
    deadline && (
      <time datetime={deadline}>
        {formatWeekday(deadline)} {formatShortDate(deadline, today)}
        {dueTime === null ? null : ` ${dueTime}`}
      </time>
    ),
    recurrence && describeRecurrence({ ...recurrence, days: recurrence.days ?? null }),
    priority && `${priorityLabels[priority]} priority`,
    ...tags.map((tag) => (
      <>
        {tag.isNew ? 'New tag' : 'Tag'} <bdi>{tag.name}</bdi>
      </>
    )),
    project && <bdi>{project.name}</bdi>,
    parent && (
      <>
        Subtask of <bdi>{parent.name}</bdi> #{parent.id}
      </>
    ),
  ].filter(Boolean);
  return (
    <>
      <input type="hidden" name={PREVIEW_FIELD} value={fingerprint} />
      <p class="preview-text">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {details.map((detail) => (
          <> · {detail}</>
        ))}
      </p>
      {rejected?.fields.name === undefined
        ? problems.map((problem) => <p class="preview-problem">{problem}</p>)
        : null}
      {notes.map((note) => (
        <p class="preview-note">{note}</p>
      ))}
    </>
  );
}
