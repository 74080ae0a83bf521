import {
  IMAGE_UPLOAD_EVENT,
  type ImageUploadEvent,
  type ImageUploadRequest,
} from './image-upload-request.ts';
import { showToast } from './toast.ts';
import {
  deleteUnfinishedUpload,
  listUnfinishedUploads,
  matchesFile,
  type UnfinishedUpload,
} from './unfinished-uploads.ts';
import { abortUpload, Upload, type UploadState, type UploadTarget } from './upload.ts';
import { UploadRow } from './upload-row.ts';

/** The row is null if the text that will contain the image shows the upload. */
const runningUploads = new Map<Upload, { readonly target: string; readonly row: UploadRow | null }>();
const interruptedUploads = new Map<UnfinishedUpload, UploadRow>();

export function enableUploads() {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'file' || !findUploadForm(target)) return;
    startUploads([...(target.files ?? [])]);
    target.value = '';
  });
  for (const type of ['dragover', 'dragleave', 'drop'] as const) document.addEventListener(type, handleDrag);
  document.addEventListener('edgework:files', (event) => startUploads((event as CustomEvent<File[]>).detail));
  document.addEventListener(IMAGE_UPLOAD_EVENT, (event) =>
    startImageUpload((event as ImageUploadEvent).detail),
  );
  window.addEventListener('beforeunload', (event) => {
    if ([...runningUploads.keys()].some(({ isRunning }) => isRunning)) event.preventDefault();
  });
  showUnfinishedUploads();
}

export function showUnfinishedUploads() {
  const target = document.querySelector<HTMLFormElement>('form[data-uploads]')?.dataset.target;
  for (const running of runningUploads.values()) if (running.target === target) running.row?.attach();
  void showInterruptedUploads();
}

function findUploadForm(element: Element | null): HTMLFormElement | null {
  return element?.closest<HTMLFormElement>('form[data-uploads]') ?? null;
}

function toUploadTarget(form: HTMLFormElement): UploadTarget {
  return {
    uploads: form.dataset.uploads ?? '',
    target: form.dataset.target ?? '',
    csrf: () => document.querySelector<HTMLInputElement>('[name="csrf"]')?.value ?? '',
  };
}

function handleDrag(event: DragEvent) {
  if (!event.dataTransfer?.types.includes('Files')) return;
  const zone = document.querySelector<HTMLElement>('[data-drop]');
  if (!zone) return;
  // An editor takes images that are dropped into its text.
  const isTaken = event.defaultPrevented;
  // Without this, the browser would open the dropped file.
  event.preventDefault();
  zone.classList.toggle('dropping', event.type === 'dragover');
  if (event.type === 'drop' && !isTaken) startUploads([...event.dataTransfer.files]);
}

function startUploads(files: readonly File[]) {
  const form = document.querySelector<HTMLFormElement>('form[data-uploads]');
  if (!form) return;
  for (const file of files) {
    const uploadTarget = toUploadTarget(form);
    const isSame = (each: UnfinishedUpload) =>
      each.uploads === uploadTarget.uploads && each.target === uploadTarget.target && matchesFile(each, file);
    const [unfinished, row] = [...interruptedUploads].find(([each]) => isSame(each)) ?? [null, null];
    if (unfinished) interruptedUploads.delete(unfinished);
    startUpload(file, uploadTarget, row ?? new UploadRow(file.name), unfinished);
  }
}

function startUpload(
  file: File,
  uploadTarget: UploadTarget,
  row: UploadRow,
  unfinished: UnfinishedUpload | null,
) {
  if (file.size === 0) {
    row.show({ kind: 'failed', message: 'This file is empty. Choose another file.' }, file.size);
    row.addAction('Remove', () => row.remove());
    return;
  }
  const upload = new Upload(file, uploadTarget, (state) => showUploadState(upload, row, state), unfinished);
  runningUploads.set(upload, { target: uploadTarget.target, row });
  void upload.start();
}

function startImageUpload(request: ImageUploadRequest) {
  const uploadTarget = toUploadTarget(request.form);
  const upload = new Upload(request.file, uploadTarget, (state) => {
    if (state.kind === 'done' || state.kind === 'failed') runningUploads.delete(upload);
    request.show(state);
    // The list of files shows the new file.
    if (state.kind === 'done') document.dispatchEvent(new CustomEvent('edgework:stale'));
  });
  runningUploads.set(upload, { target: uploadTarget.target, row: null });
  request.cancel = () => {
    runningUploads.delete(upload);
    void upload.cancel();
  };
  void upload.start();
}

function showUploadState(upload: Upload, row: UploadRow, state: UploadState) {
  const { file } = upload;
  row.show(state, file.size);
  const cancel = () => {
    runningUploads.delete(upload);
    row.remove();
    void upload.cancel();
  };
  if (state.kind === 'done') {
    runningUploads.delete(upload);
    row.remove();
    showToast(`${file.name} uploaded`);
    document.dispatchEvent(new CustomEvent('edgework:stale'));
  } else if (state.kind === 'failed') {
    runningUploads.delete(upload);
    row.addAction('Remove', () => row.remove());
    showToast(`${file.name}: ${state.message}`);
  } else if (state.kind === 'paused') {
    row.addAction('Resume', () => void upload.start());
    row.addAction('Cancel', cancel);
  } else {
    row.addAction('Pause', () => upload.pause());
    row.addAction('Cancel', cancel);
  }
}

/** Upload sessions last a day, but the person must select the file again after a reload. */
async function showInterruptedUploads() {
  const form = document.querySelector<HTMLFormElement>('form[data-uploads]');
  if (!form) return;
  const { uploads, target, csrf } = toUploadTarget(form);
  for (const unfinished of listUnfinishedUploads()) {
    if (unfinished.uploads !== uploads || unfinished.target !== target) continue;
    if ([...runningUploads.keys()].some(({ session }) => session === unfinished.session)) continue;
    const known = [...interruptedUploads.keys()].find(({ session }) => session === unfinished.session);
    if (known) interruptedUploads.delete(known);
    const response = await fetch(`${uploads}/${unfinished.session}`).catch(() => null);
    // The person has opened another task in the panel.
    if (!form.isConnected) return;
    const status = response?.ok ? await response.json() : null;
    const isGone = response && response.status !== 401 && response.status !== 429 && response.status < 500;
    if (isGone && status?.status !== 'open') {
      deleteUnfinishedUpload(unfinished);
      continue;
    }
    const row = new UploadRow(unfinished.name);
    interruptedUploads.set(unfinished, row);
    row.show({ kind: 'paused', sent: status?.receivedBytes ?? 0 }, unfinished.size);
    row.addAction('Choose the file again', () =>
      form.querySelector<HTMLInputElement>('input[type="file"]')?.click(),
    );
    row.addAction('Cancel', () => {
      interruptedUploads.delete(unfinished);
      row.remove();
      void abortUpload(unfinished, { csrf });
    });
  }
}
