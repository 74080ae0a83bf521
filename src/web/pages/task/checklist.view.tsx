import type * as z from 'zod';
import { CHECKLIST_ITEM_CHARACTERS_MAX, CHECKLIST_ITEMS_MAX } from '../../../tasks/checklist-items.ts';
import type { checklist } from '../../../tasks/checklists/checklists.schema.ts';
import { useVisit } from '../../components/context.ts';
import { Field, TextArea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import type { IconName } from '../../components/icon-names.ts';
import type { Task } from './task.view.tsx';

type ChecklistItems = z.output<typeof checklist>['items'];
type ChecklistItem = ChecklistItems[number];

export function ChecklistSection({ task, lines }: { task: Task; lines: ChecklistItems }) {
  const { base } = useVisit();
  const itemsUrl = `${base}/tasks/${task.id}/checklist/items`;
  if (task.isArchived && lines.length === 0) return null;
  const done = lines.filter(({ isDone }) => isDone).length;
  return (
    <section class="section" aria-labelledby="checklist-name">
      <h2 id="checklist-name">
        Checklist {lines.length === 0 ? null : <span class="number">{`${done}/${lines.length}`}</span>}
      </h2>
      {lines.length === 0 ? null : (
        <ol class="checklist">
          {lines.map((line, position) => (
            <li class={line.isDone ? 'is-done' : undefined}>
              {task.isArchived ? (
                <>
                  <span class="checkbox" role="img" aria-label={line.isDone ? 'Done' : 'Not done'} />
                  <span class="grow">{line.text}</span>
                </>
              ) : (
                <ChecklistItemForms
                  action={`${itemsUrl}/${line.id}`}
                  line={line}
                  position={position}
                  last={lines.length - 1}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {task.isArchived || lines.length >= CHECKLIST_ITEMS_MAX ? null : (
        <Form action={itemsUrl} class="inline grow" label="Add a checklist item">
          <Field
            id="new-line"
            name="text"
            label="New item"
            isLabelHidden
            placeholder="Add an item…"
            maxlength={CHECKLIST_ITEM_CHARACTERS_MAX}
            autocomplete="off"
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

interface ChecklistItemFormsProps {
  action: string;
  line: ChecklistItem;
  position: number;
  last: number;
}

function ChecklistItemForms({ action, line, position, last }: ChecklistItemFormsProps) {
  const { id, text, isDone } = line;
  return (
    <>
      <Form action={action} of={{ isDone: String(!isDone) }} snapshot={{ isDone }}>
        <button type="submit" class="checkbox" aria-pressed={isDone} aria-label={`Done: ${text}`} />
      </Form>
      <Form action={action} class="grow" auto of={{ field: 'text' }} snapshot={{ text }}>
        <TextArea
          id={`line-${id}`}
          name="text"
          label={`Item ${position + 1}`}
          isLabelHidden
          rows={1}
          value={text}
          maxlength={CHECKLIST_ITEM_CHARACTERS_MAX}
          hasOneLine
        />
        <button type="submit" class="plain auto">
          Save
        </button>
      </Form>
      {position === 0 ? null : (
        <ChecklistItemButton
          action={action}
          of={{ position: position - 1 }}
          snapshot={{ position }}
          icon="chevron-up"
          label={`Move up: ${text}`}
        />
      )}
      {position === last ? null : (
        <ChecklistItemButton
          action={action}
          of={{ position: position + 1 }}
          snapshot={{ position }}
          icon="chevron-down"
          label={`Move down: ${text}`}
        />
      )}
      <ChecklistItemButton
        action={`${action}/convert`}
        of={{ position }}
        icon="corner-down-right"
        label={`Convert to subtask: ${text}`}
      />
      <ChecklistItemButton
        action={`${action}/remove`}
        of={{ text, isDone: String(isDone), position }}
        icon="x"
        label={`Delete: ${text}`}
      />
    </>
  );
}

interface ChecklistItemButtonProps {
  action: string;
  of: Readonly<Record<string, string | number>>;
  snapshot?: { position: number };
  icon: IconName;
  label: string;
}

function ChecklistItemButton({ action, of, snapshot, icon, label }: ChecklistItemButtonProps) {
  return (
    <Form action={action} of={of} {...(snapshot && { snapshot })}>
      <button type="submit" class="quiet" title={label} aria-label={label}>
        <Icon name={icon} />
      </button>
    </Form>
  );
}
