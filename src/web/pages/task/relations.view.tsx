import type * as z from 'zod';
import {
  RELATIONS_MAX,
  type Relation,
  type RelationType,
  type relationPage,
} from '../../../tasks/relations/relations.schema.ts';
import { useVisit } from '../../components/context.ts';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { type StatusDisplay, StatusLabel } from '../../components/status-and-priority.tsx';
import { assets } from '../../page-model/assets.ts';
import type { Task } from './task.view.tsx';

interface RelationsSectionProps {
  task: Task;
  relations: z.output<typeof relationPage>;
  statuses: readonly StatusDisplay[];
}

export const relationTypeLabels: Readonly<Record<RelationType, string>> = {
  blocked_by: 'Blocked by',
  blocks: 'Blocks',
  relates_to: 'Related to',
  duplicates: 'Duplicates',
  duplicated_by: 'Duplicated by',
};

const relationTypesInOrder = Object.keys(relationTypeLabels) as RelationType[];

export function RelationsSection({ task, relations: { data, meta }, statuses }: RelationsSectionProps) {
  const { base } = useVisit();
  if (task.isArchived && data.length === 0) return null;
  const sorted = data.toSorted(
    (one, other) => relationTypesInOrder.indexOf(one.type) - relationTypesInOrder.indexOf(other.type),
  );
  return (
    <section class="section" aria-labelledby="relations-name">
      <h2 id="relations-name">
        Relations {meta.total === 0 ? null : <span class="number">{meta.total}</span>}
      </h2>
      {data.length === 0 ? null : (
        <ul class="rows panel relations">
          {sorted.map((relation) => (
            <RelationItem task={task} relation={relation} statuses={statuses} />
          ))}
        </ul>
      )}
      {task.isArchived || meta.total >= RELATIONS_MAX ? null : (
        <Form
          action={`${base}/tasks/${task.id}/relations`}
          class="inline grow select-first"
          label="Add a relation"
        >
          <Select
            id="relation-type"
            name="type"
            label="Relation type"
            isLabelHidden
            options={relationTypesInOrder.map((type) => [type, relationTypeLabels[type]])}
          />
          <Field
            id="related-task"
            name="task"
            label="Task name or number"
            isLabelHidden
            placeholder="Task name or #123"
            maxlength={200}
            autocomplete="off"
            data-finds={`${base}/tasks/find`}
            data-module={assets.nameFields}
            data-lists="Tasks"
          />
          <button type="submit" class="quiet">
            <Icon name="plus" />
            Add
          </button>
        </Form>
      )}
    </section>
  );
}

function RelationItem({
  task,
  relation,
  statuses,
}: Omit<RelationsSectionProps, 'relations'> & { relation: Relation }) {
  const { base } = useVisit();
  const { id, type, task: other } = relation;
  const label = `Remove relation: ${relationTypeLabels[type]} ${other.name}`;
  return (
    <li id={`relation-${id}`}>
      <span class="row-meta">{relationTypeLabels[type]}</span>
      <a class="row-name" href={`${base}/tasks/${other.id}`}>
        {other.name}
      </a>
      {other.project.id === task.project.id ? null : (
        <span class="row-meta clip wide-only" title={other.project.name}>
          {other.project.name}
        </span>
      )}
      {other.isArchived ? (
        <span class="badge off">Archived</span>
      ) : (
        <StatusLabel status={statuses.find(({ value }) => value === other.status)} />
      )}
      {task.isArchived ? null : (
        <Form action={`${base}/tasks/${task.id}/relations/${id}/remove`} of={{ type, task: `#${other.id}` }}>
          <button type="submit" class="quiet" title="Remove relation" aria-label={label}>
            <Icon name="x" />
          </button>
        </Form>
      )}
    </li>
  );
}
