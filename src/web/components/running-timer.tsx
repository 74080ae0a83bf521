import type * as z from 'zod';
import type { timeEntry } from '../../time/tracking/time-tracking.schema.ts';
import { useVisit } from './context.ts';
import { Form } from './form.tsx';
import { Icon } from './icon.tsx';
import { Duration } from './time.tsx';

export function RunningTimer({ entry }: { entry: z.output<typeof timeEntry> | null }) {
  const { base } = useVisit();
  if (!entry) return null;
  return (
    <Form action={`${base}/timer/stop`} class="running-timer" label="Running timer">
      <a href={`${base}/tasks/${entry.task.id}`}>
        <bdi>{entry.task.name}</bdi>
      </a>
      <Duration seconds={entry.durationSeconds} since={entry.startTime} />
      <button type="submit" class="quiet" aria-label="Stop timer" title="Stop timer">
        <Icon name="square" />
      </button>
    </Form>
  );
}
