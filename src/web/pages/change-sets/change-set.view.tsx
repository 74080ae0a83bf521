import type { ChangeSetDetail, DescribedItem } from '../../../change-sets/review/review.schema.ts';
import { CommentText } from '../../components/comment-text.tsx';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import type { ViewProps } from '../../page-model/page.ts';
import type { changeSetParams, changeSetReads } from './change-sets.tsx';
import { toStatusLabel } from './status-label.ts';

type Props = ViewProps<typeof changeSetParams, typeof changeSetReads, Record<never, never>>;

export function ChangeSetView({ visit: { base }, answers: { set } }: Props) {
  const action = `${base}/changes/${set.id}`;
  const isOpen = set.status === 'proposed' && !set.isExpired;
  const tasks = [...Map.groupBy(set.changes, ({ task }) => task).values()];
  const list = tasks.map((items) => <TaskChanges items={items} isOpen={isOpen} base={base} />);
  const conflicts = set.changes.filter(
    ({ problem, result }) => problem !== null && result !== 'rejected',
  ).length;
  return (
    <div class="column-page">
      <header class="head">
        <h1>{set.title || 'Proposed changes'}</h1>
        <a href={`${base}/changes`}>All proposed changes</a>
      </header>
      <p class="lead">
        <bdi>{set.app}</bdi> · {toStatusLabel(set)} · {set.items === 1 ? '1 change' : `${set.items} changes`}
        {conflicts > 0 ? `, ${conflicts} with conflicts` : ''}
      </p>
      {set.reason ? (
        <p>
          <bdi>{set.reason}</bdi>
        </p>
      ) : null}
      {isOpen ? <DecisionForms set={set} action={action} list={list} conflicts={conflicts} /> : list}
    </div>
  );
}

interface DecisionFormsProps {
  set: ChangeSetDetail;
  action: string;
  list: unknown[];
  conflicts: number;
}

function DecisionForms({ set, action, list, conflicts }: DecisionFormsProps) {
  return (
    <>
      <Form action={`${action}/apply`}>
        {list as never}
        {conflicts > 0 ? (
          <label class="pick">
            <input type="checkbox" name="isAllOrNothing" value="true" /> Don't apply any changes if there are
            conflicts
          </label>
        ) : null}
        <button type="submit">Apply selected changes</button>
      </Form>
      <details class="confirmation">
        <summary>Reject…</summary>
        <Form action={`${action}/reject`}>
          <Field
            id={`reject-${set.id}`}
            name="reason"
            label="Reason"
            maxlength={1_000}
            autocomplete="off"
            isOptional
          />
          <button type="submit" class="danger">
            Reject all changes
          </button>
        </Form>
      </details>
    </>
  );
}

function TaskChanges({ items, isOpen, base }: { items: DescribedItem[]; isOpen: boolean; base: string }) {
  const [first] = items;
  if (!first) return null;
  const { task, isNew, name, project } = first;
  const isStored =
    !isNew || items.some(({ operation, result }) => operation === 'create' && result === 'applied');
  return (
    <section class="group" aria-labelledby={`task-${task}`}>
      <h2 id={`task-${task}`}>{isStored ? <a href={`${base}/tasks/${task}`}>{name}</a> : name}</h2>
      <p class="meta">
        {isNew ? 'New task in ' : ''}
        <bdi>{project}</bdi>
      </p>
      <ul class="rows panel">
        {items.map((item) => (
          <ChangeRow item={item} isOpen={isOpen} />
        ))}
      </ul>
    </section>
  );
}

const operationLabels = { create: 'Create task', edit: 'Change task', time: 'Log time' } as const;
const resultLabels = { applied: 'Applied', conflict: 'Skipped', rejected: 'Rejected' } as const;

function ChangeRow({ item, isOpen }: { item: DescribedItem; isOpen: boolean }) {
  const { no, operation, changes, problem, result } = item;
  const changeItems = changes.map(({ label, from, to }) => (
    <li>
      {label}: {from ? <del>{from}</del> : null} {to ? <ins>{to}</ins> : <em>none</em>}
    </li>
  ));
  const summary =
    operation === 'comment' ? `Add ${changes[0]?.label.toLowerCase()}` : operationLabels[operation];
  return (
    <li>
      <div>
        {isOpen ? (
          <label class="pick">
            <input type="checkbox" name="items" value={String(no)} checked={problem === null} /> {summary}
          </label>
        ) : (
          <strong>
            {summary}
            {result ? ` · ${resultLabels[result]}` : ''}
          </strong>
        )}
        {operation === 'comment' ? (
          <CommentText text={changes[0]?.to ?? ''} />
        ) : changeItems.length > 0 ? (
          <ul>{changeItems}</ul>
        ) : null}
        {problem ? <p class="problem">{problem}</p> : null}
      </div>
    </li>
  );
}
