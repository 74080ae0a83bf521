// Uploads images into a text that someone is writing. Part of each editor.
import { imageTypes } from '../../kernel/rich-text/attachment-images.ts';
import { IMAGE_UPLOAD_EVENT, type ImageUploadRequest, RETRY_UPLOADS_EVENT } from './image-upload-request.ts';
import { showToast } from './toast.ts';
import type { UploadState } from './upload.ts';
import { UploadRow } from './upload-row.ts';

/** Images that are being uploaded, or whose upload has failed, per form. */
const pendingImages = new Map<HTMLFormElement, number>();

/** Separates the images that an editor can show from other files. */
export function splitFiles(files: Iterable<File>): { images: File[]; others: File[] } {
  const all = [...files].map(renamePastedFile);
  const isImage = (file: File) => imageTypes.includes(file.type) && file.size > 0;
  return { images: all.filter(isImage), others: all.filter((file) => !isImage(file)) };
}

/** Browsers give all pasted images the same name. */
function renamePastedFile(file: File): File {
  if (file.name !== 'image.png') return file;
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-').replace('T', ' ');
  return new File([file], `Pasted ${time}.png`, { type: file.type });
}

/** Attaches files to the task without showing them in the text. */
export function attachFiles(files: readonly File[]) {
  if (files.length > 0) document.dispatchEvent(new CustomEvent('edgework:files', { detail: files }));
}

export function toImageAlt({ name }: File): string {
  return name.replace(/\.[a-z0-9]{1,5}$/i, '');
}

interface ImageUploadOptions {
  readonly file: File;
  readonly field: Element;
  /** Selects the list that shows the upload. If it is null, the caller inserts the row's element. */
  readonly list: string | null;
  /** Moves the focus back to the text, because the buttons of an upload disappear when they are pressed. */
  readonly focus: () => void;
  /** Gets null if the person cancels the upload. */
  readonly onEnd: (attachment: number | null) => void;
}

/** Returns the row that shows the upload, or null if the text doesn't belong to a task. */
export function uploadImage({ file, field, list, focus, onEnd }: ImageUploadOptions): UploadRow | null {
  const form = field.closest('.task')?.querySelector<HTMLFormElement>('form[data-uploads]');
  const textForm = field.closest('form');
  if (!form || !textForm) {
    showToast("Images can't be added here.");
    return null;
  }
  holdFormsWhileUploading();
  const row = new UploadRow(file.name, list);
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  const finish = (attachment: number | null) => {
    removeEventListener('beforeunload', warn);
    countPending(textForm, -1);
    row.remove();
    onEnd(attachment);
  };
  const start = () => {
    const request: ImageUploadRequest = { file, form, show: showState, cancel: () => undefined };
    function showState(state: UploadState) {
      if (state.kind === 'done') {
        finish(state.attachment);
        return;
      }
      row.show(state, file.size);
      const addAction = (label: string, act: () => void) =>
        row.addAction(label, () => {
          act();
          focus();
        });
      if (state.kind === 'failed') addAction('Retry', start);
      if (state.kind === 'waiting')
        addAction('Retry', () => document.dispatchEvent(new CustomEvent(RETRY_UPLOADS_EVENT)));
      addAction(state.kind === 'failed' ? 'Remove' : 'Cancel', () => {
        request.cancel();
        finish(null);
      });
    }
    document.dispatchEvent(new CustomEvent(IMAGE_UPLOAD_EVENT, { detail: request }));
  };
  addEventListener('beforeunload', warn);
  countPending(textForm, 1);
  start();
  return row;
}

function countPending(form: HTMLFormElement, by: number) {
  pendingImages.set(form, (pendingImages.get(form) ?? 0) + by);
}

let holdsForms = false;

/** Otherwise, the text would be saved without the image. */
function holdFormsWhileUploading() {
  if (holdsForms) return;
  holdsForms = true;
  document.addEventListener(
    'submit',
    (event) => {
      if (!(event.target instanceof HTMLFormElement) || !pendingImages.get(event.target)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      showToast("An image hasn't been uploaded yet. Wait for it to finish, or cancel it.", {
        isProblem: true,
      });
    },
    { capture: true },
  );
}
