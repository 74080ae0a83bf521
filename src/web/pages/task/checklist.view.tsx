import type * as z from 'zod';
import { CHECKLIST_LINES_MAX, LINE_CHARACTERS_MAX } from '../../../tasks/checklist-lines.ts';
import type { checklist } from '../../../tasks/checklists/checklists.schema.ts';
import { useVisit } from '../../components/context.ts';
import { Field, TextArea } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import type { IconName } from '../../components/icon-names.ts';
import type { Task } from './task.view.tsx';

type Lines = z.output<typeof checklist>['items'];
type Line = Lines[number];

export function Checklist({ task, lines }: { task: Task; lines: Lines }) {
  const { base } = useVisit();
  const items = `${base}/tasks/${task.id}/checklist/items`;
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
                <LineForms
                  action={`${items}/${line.id}`}
                  line={line}
                  position={position}
                  last={lines.length - 1}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {task.isArchived || lines.length >= CHECKLIST_LINES_MAX ? null : (
        <Form action={items} class="inline grow" label="Add a checklist item">
          <Field
            id="new-line"
            name="text"
            label="New item"
            isLabelHidden
            placeholder="Add an item…"
            maxlength={LINE_CHARACTERS_MAX}
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

interface LineProps {
  action: string;
  line: Line;
  position: number;
  last: number;
}

function LineForms({ action, line, position, last }: LineProps) {
  const { id, text, isDone } = line;
  return (
    <>
      <Form action={action} of={{ isDone: String(!isDone) }} shown={{ isDone }}>
        <button type="submit" class="checkbox" aria-pressed={isDone} aria-label={`Done: ${text}`} />
      </Form>
      <Form action={action} class="grow" auto of={{ field: 'text' }} shown={{ text }}>
        <TextArea
          id={`line-${id}`}
          name="text"
          label={`Item ${position + 1}`}
          isLabelHidden
          rows={1}
          value={text}
          maxlength={LINE_CHARACTERS_MAX}
          hasOneLine
        />
        <button type="submit" class="plain auto">
          Save
        </button>
      </Form>
      {position === 0 ? null : (
        <LineButton
          action={action}
          of={{ position: position - 1 }}
          shown={{ position }}
          icon="chevron-up"
          label={`Move up: ${text}`}
        />
      )}
      {position === last ? null : (
        <LineButton
          action={action}
          of={{ position: position + 1 }}
          shown={{ position }}
          icon="chevron-down"
          label={`Move down: ${text}`}
        />
      )}
      <LineButton
        action={`${action}/convert`}
        of={{ position }}
        icon="corner-down-right"
        label={`Convert to subtask: ${text}`}
      />
      <LineButton
        action={`${action}/remove`}
        of={{ text, isDone: String(isDone), position }}
        icon="x"
        label={`Delete: ${text}`}
      />
    </>
  );
}

interface LineButtonProps {
  action: string;
  of: Readonly<Record<string, string | number>>;
  shown?: { position: number };
  icon: IconName;
  label: string;
}

function LineButton({ action, of, shown, icon, label }: LineButtonProps) {
  return (
    <Form action={action} of={of} {...(shown && { shown })}>
      <button type="submit" class="quiet" title={label} aria-label={label}>
        <Icon name={icon} />
      </button>
    </Form>
  );
}
