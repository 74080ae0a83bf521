import { useVisit } from '../../components/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { templatesParams, templatesReads } from './templates.tsx';

type Props = ViewProps<typeof templatesParams, typeof templatesReads, Record<never, never>>;
type Template = Props['answers']['templates']['data'][number];

export function TemplatesView({ answers: { templates } }: Props) {
  const filterByKind = (kind: Template['kind']) => templates.data.filter((each) => each.kind === kind);
  return (
    <div class="column-page">
      <header class="head">
        <h1>Templates</h1>
      </header>
      {templates.data.length === 0 ? (
        <EmptyState icon="layout-template">
          <p>
            No templates yet. Open a task or a project's settings, and choose “Save as template” to reuse its
            tasks, checklists and dates.
          </p>
        </EmptyState>
      ) : null}
      <TemplateList id="task-templates" title="Tasks" templates={filterByKind('task')} />
      <TemplateList id="project-templates" title="Projects" templates={filterByKind('project')} />
    </div>
  );
}

function TemplateList({
  id,
  title,
  templates,
}: {
  id: string;
  title: string;
  templates: readonly Template[];
}) {
  const { base } = useVisit();
  if (templates.length === 0) return null;
  return (
    <section class="group" aria-labelledby={id}>
      <h2 id={id}>
        {title} <span class="number">{templates.length}</span>
      </h2>
      <ul class="rows panel">
        {templates.map((each) => (
          <li>
            <a class="row-name" href={`${base}/templates/${each.id}`}>
              <bdi>{each.name}</bdi>
            </a>
            {each.description ? (
              <span class="row-meta clip wide-only">
                <bdi>{each.description}</bdi>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
