import type * as z from 'zod';
import type { timeEntryPage } from '../../../time/tracking/time-tracking.schema.ts';
import { useVisit } from '../../components/context.ts';
import { Form } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { RelativeTime } from '../../components/time.tsx';
import { EntryDuration, EntryTimeFields, EntryTimeRange } from '../../components/time-entry.tsx';
import type { Task } from './task.view.tsx';

export function TimeLogSection({ task, entries }: { task: Task; entries: z.output<typeof timeEntryPage> }) {
  const { base, rejected } = useVisit();
  const isOpen = rejected?.action === `${base}/time`;
  if (task.isArchived && entries.data.length === 0) return null;
  return (
    <section class="section" aria-labelledby="time-name">
      <h2 id="time-name">
        Your time {entries.meta.total > 0 ? <span class="number">{entries.meta.total}</span> : null}
      </h2>
      {entries.data.length === 0 ? null : (
        <ul class="rows panel">
          {entries.data.map((entry) => (
            <li>
              <EntryTimeRange entry={entry} />
              <span class="row-name quiet">
                <RelativeTime at={entry.startTime} />
              </span>
              <EntryDuration entry={entry} />
            </li>
          ))}
        </ul>
      )}
      {entries.meta.hasMore ? (
        <p>
          <a href={`${base}/time`}>View all your logged time</a>
        </p>
      ) : null}
      {task.isArchived ? null : (
        <details class="edit" open={isOpen}>
          <summary>
            <Icon name="clock" />
            Log time
          </summary>
          <Form action={`${base}/time`} class="entry-form" label="Log time" of={{ taskId: task.id }}>
            <EntryTimeFields id="log" />
            <button type="submit">Log</button>
          </Form>
        </details>
      )}
    </section>
  );
}
