import { invalidRequest } from '../kernel/errors.ts';
import { jsonBytesOf } from '../kernel/schema.ts';
import { TEXT_BYTES_MAX } from './bulk.schema.ts';

/** Refuses tasks whose texts would make an answer that nobody can read at once. */
export function requireFitting(tasks: readonly { name: string; description: string | null }[]) {
  requireBytes(
    tasks.reduce((sum, task) => sum + jsonBytesOf(task.name) + jsonBytesOf(task.description ?? ''), 0),
  );
}

export function requireBytes(bytes: number) {
  if (bytes <= TEXT_BYTES_MAX) return;
  throw invalidRequest(
    `The names and descriptions of these tasks take ${bytes} bytes, and ${TEXT_BYTES_MAX} are the most at once. Send fewer tasks in one request.`,
  );
}
