import type * as z from 'zod';
import { buildFingerprint } from '../../../kernel/operation/snapshot.ts';
import type { quickAddTask } from '../../../tasks/quick-add/quick-add.schema.ts';

type ParsedTask = z.output<typeof quickAddTask>;

export const PREVIEW_FIELD = 'understood';

export function buildPreviewFingerprint(understood: ParsedTask, fields: URLSearchParams): string {
  return `${fingerprintText(fields)}.${fingerprintTask(understood)}`;
}

/**
 * Returns false if the task that the text describes now differs from the preview. Returns true if there was no preview
 * of this text.
 */
export function matchesPreview(understood: ParsedTask, fields: URLSearchParams): boolean {
  const [text, preview] = (fields.get(PREVIEW_FIELD) ?? '').split('.');
  return text !== fingerprintText(fields) || preview === fingerprintTask(understood);
}

function fingerprintText(fields: URLSearchParams): string {
  return buildFingerprint([fields.get('name') ?? '', fields.get('projectId') ?? '']);
}

function fingerprintTask(task: ParsedTask): string {
  const { name, assignees, project, parent, deadline, dueTime, recurrence, priority, tags } = task;
  const people = assignees.map(({ id }) => id);
  const tagNames = tags.map((tag) => tag.name);
  return buildFingerprint([
    name,
    people,
    project?.id,
    parent?.id,
    deadline,
    dueTime,
    recurrence,
    priority,
    tagNames,
  ]);
}
