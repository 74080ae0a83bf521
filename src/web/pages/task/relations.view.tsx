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
import { Status, type StatusDisplay } from '../../components/status-and-priority.tsx';
import { assets } from '../../page-model/assets.ts';
import type { Task } from './task.view.tsx';

interface RelationsProps {
  task: Task;
  relations: z.output<typeof relationPage>;
  statuses: readonly StatusDisplay[];
}

export const typeLabels: Readonly<Record<RelationType, string>> = {
  blocked_by: 'Blocked by',
  blocks: 'Blocks',
  relates_to: 'Related to',
  duplicates: 'Duplicates',
  duplicated_by: 'Duplicated by',
};

const typesInOrder = Object.keys(typeLabels) as RelationType[];

export function Relations({ task, relations: { data, meta }, statuses }: RelationsProps) {
  const { base } = useVisit();
  if (task.isArchived && data.length === 0) return null;
  const sorted = data.toSorted(
    (one, other) => typesInOrder.indexOf(one.type) - typesInOrder.indexOf(other.type),
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
          class="inline grow choice-first"
          label="Add a relation"
        >
          <Select
            id="relation-type"
            name="type"
            label="Relation type"
            isLabelHidden
            options={typesInOrder.map((type) => [type, typeLabels[type]])}
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
}: Omit<RelationsProps, 'relations'> & { relation: Relation }) {
  const { base } = useVisit();
  const { id, type, task: other } = relation;
  const label = `Remove relation: ${typeLabels[type]} ${other.name}`;
  return (
    <li id={`relation-${id}`}>
      <span class="row-meta">{typeLabels[type]}</span>
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
        <Status status={statuses.find(({ value }) => value === other.status)} />
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
