import * as z from 'zod';
import { integerId } from '../../../kernel/operation/schema.ts';
import { taskFields } from '../../../tasks/fields.ts';
import { listLabelChoices } from '../../../tasks/labels/labels.ts';
import { getTask } from '../../../tasks/operations/tasks.ts';
import { Form } from '../../components/form.tsx';
import { TagList } from '../../components/tags.tsx';
import { TagsField } from '../../components/tags-field.tsx';
import { definePage, type ViewProps } from '../../page-model/page.ts';

const taskTagsParams = z.object({ task: integerId });
const taskTagsReads = { task: getTask };
const taskTagsOptionalReads = { labels: listLabelChoices };

/** The tag picker reads its choices from this page. Without JavaScript, people edit the tags here. */
export const taskTagsPage = definePage({
  name: 'taskTags',
  path: '/tasks/:task/tags',
  title: ({ answers }) => `${taskFields.tags.label} of ${answers.task.name}`,
  params: taskTagsParams,
  reads: taskTagsReads,
  optionalReads: taskTagsOptionalReads,
  inputs: ({ task }) => ({ task: { id: task }, labels: { withNames: true } }),
  view: TaskTagsView,
});

function TaskTagsView({
  visit: { base },
  answers: { task, labels },
}: ViewProps<typeof taskTagsParams, typeof taskTagsReads, typeof taskTagsOptionalReads>) {
  const taskUrl = `${base}/tasks/${task.id}`;
  return (
    <div class="column-page">
      <header class="head">
        <h1>{taskFields.tags.label}</h1>
        <a href={taskUrl}>{task.name}</a>
      </header>
      <Form
        action={`${taskUrl}/tags`}
        id="task-tags"
        class="panel padded"
        back={taskUrl}
        snapshot={{ tags: task.tags }}
      >
        <TagsField tags={task.tags} />
        {labels && labels.names.length > 0 ? (
          <p id="tag-choices">
            <TagList tags={labels.names} labels={labels} />
          </p>
        ) : null}
        <div class="actions">
          <button type="submit">Save</button>
          <a class="button plain" href={taskUrl}>
            Cancel
          </a>
        </div>
      </Form>
    </div>
  );
}
