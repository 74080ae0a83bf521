import type * as z from 'zod';
import { fingerprint } from '../../../kernel/operation/snapshot.ts';
import type { understoodTask } from '../../../tasks/quick-add/quick-add.schema.ts';

type Understood = z.output<typeof understoodTask>;

/** The hidden field that holds the fingerprint of the preview. */
export const PREVIEW_FIELD = 'understood';

/** Fingerprints of the text and of its preview. */
export function getPreviewFingerprint(understood: Understood, fields: URLSearchParams): string {
  return `${fingerprintText(fields)}.${fingerprintTask(understood)}`;
}

/** False if the text now means something else than its preview showed. A text sent without a preview passes. */
export function matchesPreview(understood: Understood, fields: URLSearchParams): boolean {
  const [text, preview] = (fields.get(PREVIEW_FIELD) ?? '').split('.');
  return text !== fingerprintText(fields) || preview === fingerprintTask(understood);
}

function fingerprintText(fields: URLSearchParams): string {
  return fingerprint([fields.get('name') ?? '', fields.get('projectId') ?? '']);
}

function fingerprintTask({ name, assignee, project, deadline, priority }: Understood): string {
  return fingerprint([name, assignee?.id, project?.id, deadline, priority]);
}
