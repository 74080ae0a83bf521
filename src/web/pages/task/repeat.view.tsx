import type * as z from 'zod';
import { describeRecurrence } from '../../../tasks/recurrence/describe-recurrence.ts';
import type { recurrence } from '../../../tasks/recurrence/recurrence.schema.ts';
import { useVisit } from '../../components/context.ts';
import { Field, Select } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { listRepeatRules } from '../meetings/repeat-rules.ts';
import type { Task } from './task.view.tsx';

interface RepeatPropertyProps {
  task: Task;
  recurrence: z.output<typeof recurrence> | null;
}

export function RepeatProperty({ task, recurrence: found }: RepeatPropertyProps) {
  const { caller } = useVisit();
  const rule = found?.rule ?? null;
  const isContinued = found !== null && rule === null && found.nextId !== null;
  const mayStart = caller.plan !== 'free' && !task.isArchived && !isContinued;
  if (found === null && task.isArchived) return null;
  return (
    <div class="property">
      <dt>Repeat</dt>
      <dd>
        {found !== null && rule !== null ? describeRecurrence({ ...found, rule }) : "Doesn't repeat"}
        {found === null ? null : <AdjacentTaskLinks of={found} />}
        {caller.plan === 'free' && !task.isArchived ? (
          <p class="hint">Recurring tasks require the Medium or Pro plan.</p>
        ) : null}
        {mayStart ? <RepeatForm task={task} recurrence={found} /> : null}
        {found !== null && rule !== null && !task.isArchived ? (
          <StopRepeatingForm task={task} of={{ rule, mode: found.mode, days: found.days ?? '' }} />
        ) : null}
      </dd>
    </div>
  );
}

function AdjacentTaskLinks({
  of: { previousId, nextId },
}: {
  of: NonNullable<RepeatPropertyProps['recurrence']>;
}) {
  const { base } = useVisit();
  return (
    <>
      {previousId === null ? null : (
        <>
          {' · '}
          <a href={`${base}/tasks/${previousId}`}>Previous: #{previousId}</a>
        </>
      )}
      {nextId === null ? null : (
        <>
          {' · '}
          <a href={`${base}/tasks/${nextId}`}>Next: #{nextId}</a>
        </>
      )}
    </>
  );
}

function RepeatForm({ task, recurrence: found }: RepeatPropertyProps) {
  const { base, today, rejected } = useVisit();
  const action = `${base}/tasks/${task.id}/recurrence`;
  const { rule = null, mode = 'schedule', days = null } = found ?? {};
  const rules = listRepeatRules(task.deadline ?? today);
  const offered = rule === null || rules.includes(rule) ? rules : [rule, ...rules];
  return (
    <details class="edit" open={rejected?.action === action}>
      <summary>{rule === null ? 'Repeat' : 'Change'}</summary>
      <Form
        action={action}
        label="Repeat"
        snapshot={rule === null ? { rule: null, mode: null, days: null } : { rule, mode, days }}
      >
        <Select
          name="rule"
          label="Repeats"
          value={rule ?? offered[0] ?? ''}
          options={offered.map(
            (each) => [each, describeRecurrence({ rule: each, mode: 'schedule', days: null })] as const,
          )}
        />
        <Select
          name="mode"
          label="Create next task"
          value={mode}
          options={[
            ['schedule', 'On the deadline'],
            ['completion', 'When completed'],
          ]}
        />
        <Field
          name="days"
          label="Days until due"
          type="number"
          min={1}
          max={365}
          value={days === null ? '' : String(days)}
          hint="Only with “When completed”: the next task is due this many days after completion. Overrides “Repeats”."
          isOptional
        />
        <button type="submit">Save</button>
      </Form>
    </details>
  );
}

function StopRepeatingForm({ task, of }: { task: Task; of: Readonly<Record<string, string | number>> }) {
  const { base } = useVisit();
  return (
    <Form action={`${base}/tasks/${task.id}/recurrence/remove`} of={of}>
      <button type="submit" class="quiet">
        Stop repeating
      </button>
    </Form>
  );
}
