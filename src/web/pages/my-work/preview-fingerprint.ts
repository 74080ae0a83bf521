import type * as z from 'zod';
import { buildFingerprint } from '../../../kernel/operation/snapshot.ts';
import type { quickAddTask } from '../../../tasks/quick-add/quick-add.schema.ts';

type ParsedTask = z.output<typeof quickAddTask>;

export const PREVIEW_FIELD = 'understood';

export function buildPreviewFingerprint(understood: ParsedTask, fields: URLSearchParams): string {
  return `${fingerprintText(fields)}.${fingerprintTask(understood)}`;
}

/**
 * Returns false if the text would now create a task that differs from its preview. Returns true if the text has no
 * preview.
 */
export function matchesPreview(understood: ParsedTask, fields: URLSearchParams): boolean {
  const [text, preview] = (fields.get(PREVIEW_FIELD) ?? '').split('.');
  return text !== fingerprintText(fields) || preview === fingerprintTask(understood);
}

function fingerprintText(fields: URLSearchParams): string {
  return buildFingerprint([fields.get('name') ?? '', fields.get('projectId') ?? '']);
}

function fingerprintTask({ name, assignees, project, deadline, priority }: ParsedTask): string {
  return buildFingerprint([name, assignees.map(({ id }) => id), project?.id, deadline, priority]);
}
