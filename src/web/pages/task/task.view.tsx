import type * as z from 'zod';
import { getReach } from '../../../kernel/access/capabilities.ts';
import type { taskDetail } from '../../../tasks/model/tasks.schema.ts';
import { BlockedBadge } from '../../components/blocked-badge.tsx';
import { CompleteTasksForm, TaskPageCompleteButton } from '../../components/complete-button.tsx';
import { useVisit } from '../../components/context.ts';
import { TextArea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import type { IconName } from '../../components/icon-names.ts';
import { RichText } from '../../components/linked-text.tsx';
import { PickerData } from '../../components/picker-data.tsx';
import { RichTextField } from '../../components/rich-text-field.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import { FilesSection } from '../files/files.view.tsx';
import { ChecklistSection } from './checklist.view.tsx';
import { ActivityFeed } from './feed.view.tsx';
import { TaskProperties } from './properties.view.tsx';
import { RelationsSection } from './relations.view.tsx';
import { SubtasksSection } from './subtasks.view.tsx';
import type { taskOptionalReads, taskParams, taskReads } from './task.tsx';
import { TimeLogSection } from './time-log.view.tsx';

type Props = ViewProps<typeof taskParams, typeof taskReads, typeof taskOptionalReads>;
export type Task = z.output<typeof taskDetail>;

export function TaskView({ visit, answers, params }: Props) {
  const {
    task,
    subtasks,
    statuses,
    people,
    feed,
    files,
    entries,
    checklist,
    labels,
    relations,
    reminders,
    fields,
  } = answers;
  const mayDelete = answers.permissions?.mayDelete ?? false;
  const { base } = visit;
  return (
    <article class="task" data-project={task.project.id} data-task={task.id}>
      {task.isArchived ? null : <PickerData />}
      <header class="head task-head">
        <p class="crumbs">
          <a href={`${base}/projects/${task.project.id}`}>
            <bdi>{task.project.name}</bdi>
          </a>
          {task.parent ? (
            <>
              <span aria-hidden="true">/</span>
              <a href={`${base}/tasks/${task.parent.id}`}>
                <bdi>{task.parent.name}</bdi>
              </a>
            </>
          ) : null}
          <span aria-hidden="true">/</span>
          <span>#{task.id}</span>
          {task.isArchived ? <span class="badge off">Archived</span> : null}
          <BlockedBadge task={task} />
        </p>
        <TaskActions task={task} mayDelete={mayDelete} />
      </header>
      <div class="task-body">
        <div>
          <TaskTitle task={task} />
          <TaskDescription task={task} />
          <SubtasksSection task={task} subtasks={subtasks} statuses={statuses.data} />
        </div>
        <aside aria-label="Properties">
          <TaskProperties
            task={task}
            statuses={statuses.data}
            people={people}
            labels={labels}
            reminders={reminders.items}
            fields={fields.data}
          />
        </aside>
        <div>
          <ChecklistSection task={task} lines={checklist.items} />
          <RelationsSection task={task} relations={relations} statuses={statuses.data} />
          <FilesSection
            parentUrl={`${base}/tasks/${task.id}`}
            target={{ taskId: task.id }}
            files={files.data}
            total={files.meta.total}
            isClosed={task.isArchived}
          />
          <TimeLogSection task={task} entries={entries} />
          <ActivityFeed
            task={task}
            feed={feed}
            params={params}
            names={{ statuses: statuses.data, people: people.data }}
          />
        </div>
      </div>
    </article>
  );
}

function TaskTitle({ task }: { task: Task }) {
  const { base } = useVisit();
  if (task.isArchived) return <h1>{task.name}</h1>;
  return (
    <>
      <CompleteTasksForm />
      <div class="task-title">
        <TaskPageCompleteButton task={task} />
        <h1 class="off-screen">{task.name}</h1>
        <Form
          action={`${base}/tasks/${task.id}`}
          class="title-form"
          auto
          of={{ field: 'name' }}
          snapshot={{ name: task.name }}
        >
          <TextArea
            name="name"
            label="Task name"
            isLabelHidden
            rows={1}
            value={task.name}
            maxlength={500}
            hasOneLine
          />
          <button type="submit" class="plain auto">
            Rename
          </button>
        </Form>
      </div>
    </>
  );
}

function TaskDescription({ task }: { task: Task }) {
  const { base, rejected } = useVisit();
  const action = `${base}/tasks/${task.id}/description`;
  const html = task.description ?? '';
  return (
    <section class="section" aria-labelledby="description-name">
      <h2 id="description-name" class="off-screen">
        Description
      </h2>
      {html === '' ? null : <RichText html={html} />}
      {task.isArchived ? null : (
        <details class="edit" open={rejected?.action === action}>
          <summary>
            <Icon name="pencil" />
            {html === '' ? 'Add a description' : 'Edit description'}
          </summary>
          <Form action={action} snapshot={{ description: task.description }}>
            <RichTextField
              name="description"
              label="Description"
              isLabelHidden
              rows={8}
              value={html}
              maxlength={100_000}
              isOptional
              filesUrl={`${base}/tasks/${task.id}/files`}
            />
            <button type="submit">Save</button>
          </Form>
        </details>
      )}
    </section>
  );
}

function TaskActions({ task, mayDelete }: { task: Task; mayDelete: boolean }) {
  const { base, timedTask, caller } = useVisit();
  const taskUrl = `${base}/tasks/${task.id}`;
  return (
    <div class="task-actions">
      {task.isArchived ? (
        <ActionButton action={`${taskUrl}/restore`} icon="archive-restore" label="Restore" />
      ) : timedTask === task.id ? (
        <ActionButton action={`${base}/timer/stop`} icon="square" label="Stop timer" />
      ) : (
        <ActionButton action={`${taskUrl}/timer`} icon="play" label="Start timer" />
      )}
      <details class="drop-down at-end menu-button">
        <summary class="button quiet" title="Actions">
          <Icon name="ellipsis" />
          <span class="off-screen">Actions</span>
        </summary>
        <div>
          <CopyLinkButton to={taskUrl} />
          <ActionButton action={`${taskUrl}/duplicate`} icon="copy" label="Duplicate" />
          {task.isArchived ? null : (
            <>
              <a class="button quiet" href={`${taskUrl}/project`}>
                <Icon name="folder-kanban" />
                Move…
              </a>
              {getReach(caller, 'saveTemplates') === 'none' ? null : (
                <ActionButton
                  action={`${taskUrl}/template`}
                  icon="layout-template"
                  label="Save as template"
                />
              )}
              <ActionButton action={`${taskUrl}/archive`} icon="archive" label="Archive" />
            </>
          )}
          {mayDelete ? <DeleteTaskForm task={task} /> : null}
        </div>
      </details>
    </div>
  );
}

/** After a deletion on the task's page, the project opens, because the task no longer has a page. */
function DeleteTaskForm({ task }: { task: Task }) {
  const { base } = useVisit();
  return (
    <Form action={`${base}/tasks/${task.id}/delete`}>
      <input type="hidden" name="from" value={task.project.id} />
      <button type="submit" class="quiet">
        <Icon name="trash-2" />
        Delete
      </button>
    </Form>
  );
}

function CopyLinkButton({ to }: { to: string }) {
  return (
    <button type="button" class="quiet" data-copy={to} hidden>
      <Icon name="link" />
      Copy link
    </button>
  );
}

function ActionButton({ action, icon, label }: { action: string; icon: IconName; label: string }) {
  return (
    <Form action={action}>
      <button type="submit" class="quiet">
        <Icon name={icon} />
        {label}
      </button>
    </Form>
  );
}
