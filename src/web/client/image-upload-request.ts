import type { UploadState } from './upload.ts';

/** Editors load separately from the page's script, which runs all uploads. They request uploads with this event. */
export const IMAGE_UPLOAD_EVENT = 'edgework:image';
/** Ends the pauses between attempts of uploads that wait for the server. */
export const RETRY_UPLOADS_EVENT = 'edgework:retry-uploads';

export interface ImageUploadRequest {
  readonly file: File;
  /** The upload form of the task. */
  readonly form: HTMLFormElement;
  readonly show: (state: UploadState) => void;
  /** The page's script sets this function. */
  cancel: () => void;
}
export type ImageUploadEvent = CustomEvent<ImageUploadRequest>;
