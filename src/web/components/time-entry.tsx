import { toWallClock } from '../../kernel/dates/civil-date.ts';
import type { TimeEntry } from '../../time/tracking/time-tracking.schema.ts';
import { useVisit } from './context.ts';
import { Field } from './field.tsx';
import { Form } from './form.tsx';
import { Icon } from './icon.tsx';
import { Duration, DurationWithUnits } from './time.tsx';

export function EntryTimeRange({ entry: { startTime, endTime } }: { entry: TimeEntry }) {
  const { caller } = useVisit();
  const formatClock = (at: string) => toWallClock(Date.parse(at), caller.timezone).time;
  return (
    <span class="row-meta number">
      {formatClock(startTime)}–{endTime ? formatClock(endTime) : 'now'}
    </span>
  );
}

/** A running entry must be stopped before it can be edited. */
export function EntryDuration({ entry }: { entry: TimeEntry }) {
  const { base, rejected } = useVisit();
  const action = `${base}/time/${entry.id}`;
  if (entry.endTime === null) return <Duration seconds={entry.durationSeconds} since={entry.startTime} />;
  return (
    <>
      <DurationWithUnits seconds={entry.durationSeconds} />
      <details class="edit entry-edit" open={rejected?.action === action}>
        <summary>
          <Icon name="pencil" />
          <span class="off-screen">Edit time entry</span>
        </summary>
        <Form action={action} class="entry-form">
          <EntryTimeFields id={`entry-${entry.id}`} entry={entry} />
          <button type="submit">Save</button>
        </Form>
        <Form
          action={`${action}/remove`}
          of={{ taskId: entry.taskId, startTime: entry.startTime, endTime: entry.endTime }}
        >
          <button type="submit" class="quiet">
            <Icon name="trash-2" />
            Delete
          </button>
        </Form>
      </details>
    </>
  );
}

export function EntryTimeFields({ id, entry }: { id: string; entry?: TimeEntry }) {
  const { caller, now } = useVisit();
  const toFieldValue = (at: number) => {
    const { date, time } = toWallClock(at, caller.timezone);
    return `${date}T${time}`;
  };
  const start = entry ? toFieldValue(Date.parse(entry.startTime)) : undefined;
  const end = entry?.endTime ? toFieldValue(Date.parse(entry.endTime)) : undefined;
  return (
    <>
      <input type="hidden" name="zone" value={caller.timezone} />
      {start ? <input type="hidden" name="startTimeWas" value={start} /> : null}
      {end ? <input type="hidden" name="endTimeWas" value={end} /> : null}
      <Field
        id={`${id}-start`}
        name="startTime"
        label="From"
        type="datetime-local"
        value={start}
        max={toFieldValue(now)}
      />
      <Field
        id={`${id}-end`}
        name="endTime"
        label="To"
        type="datetime-local"
        value={end}
        max={toFieldValue(now)}
      />
    </>
  );
}
