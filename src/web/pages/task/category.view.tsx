import { CategorySelect } from '../../components/category-select.tsx';
import { Form } from '../../components/form.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { categoryParams, categoryReads } from './category.tsx';

type Props = ViewProps<typeof categoryParams, typeof categoryReads, Record<never, never>>;

export function CategoryView({ visit: { base }, answers: { task, kinds } }: Props) {
  const taskUrl = `${base}/tasks/${task.id}`;
  return (
    <div class="column-page">
      <header class="head">
        <h1>Category and type</h1>
        <a href={taskUrl}>{task.name}</a>
      </header>
      <Form
        action={`${taskUrl}/category`}
        class="panel padded"
        snapshot={{ kind: [task.category?.id ?? null, task.type?.id ?? null] }}
      >
        <CategorySelect categories={kinds.categories} current={task} />
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
