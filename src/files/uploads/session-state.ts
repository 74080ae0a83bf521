import type { AttachmentTarget } from '../attachments/attachments.queries.ts';

export interface UploadPlan {
  readonly sessionId: string;
  /** Identifies the workspace and the person who opened the session. No one else can see the session. */
  readonly owner: string;
  readonly cell: number;
  readonly target: AttachmentTarget;
  readonly parentId: number | null;
  readonly fileName: string;
  readonly fileType: string;
  readonly fileSize: number;
  readonly s3Key: string;
  readonly chunkSize: number;
  readonly totalChunks: number;
  readonly expiresAt: number;
}

/** In `completing`, R2 is assembling the object. In `assembled`, R2 is done, but no attachment is recorded yet. */
export type SessionState = 'open' | 'completing' | 'assembled' | 'completed' | 'aborted';

export interface Session {
  readonly plan: UploadPlan;
  readonly uploadId: string;
  state: SessionState;
  etag: string | null;
}

export interface SessionView {
  readonly plan: UploadPlan;
  readonly state: SessionState;
  readonly receivedChunks: number;
  readonly receivedBytes: number;
  readonly missingParts: number[];
}

export interface UploadPart {
  readonly number: number;
  readonly size: number;
  readonly sha256: string | null;
}

export type PutPartResult =
  | { readonly kind: 'stored'; readonly receivedChunks: number }
  | { readonly kind: 'gone' }
  | { readonly kind: 'closed'; readonly state: SessionState }
  /** The sender aborted, and nothing was stored. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'mismatch'; readonly sha256: string }
  /** The sender lost permission during the upload, and nothing was stored. */
  | { readonly kind: 'refused' };

export type AssemblyResult =
  | { readonly kind: 'assembled'; readonly etag: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'missing'; readonly missingParts: number[] };
