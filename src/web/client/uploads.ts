import { showToast } from './toast.ts';
import {
  deleteUnfinishedUpload,
  listUnfinishedUploads,
  matchesFile,
  type UnfinishedUpload,
} from './unfinished-uploads.ts';
import { abortUpload, Upload, type UploadState, type UploadTarget } from './upload.ts';
import { UploadRow } from './upload-row.ts';

const runningUploads = new Map<Upload, { readonly target: string; readonly row: UploadRow }>();
const interruptedUploads = new Map<UnfinishedUpload, UploadRow>();

export function enableUploads() {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'file' || !findUploadForm(target)) return;
    startUploads([...(target.files ?? [])]);
    target.value = '';
  });
  for (const type of ['dragover', 'dragleave', 'drop'] as const) document.addEventListener(type, handleDrag);
  document.addEventListener('edgework:files', (event) => startUploads((event as CustomEvent<File[]>).detail));
  window.addEventListener('beforeunload', (event) => {
    if ([...runningUploads.keys()].some(({ isRunning }) => isRunning)) event.preventDefault();
  });
  showUnfinishedUploads();
}

export function showUnfinishedUploads() {
  const target = document.querySelector<HTMLFormElement>('form[data-uploads]')?.dataset.target;
  for (const running of runningUploads.values()) if (running.target === target) running.row.attach();
  void listInterruptedUploads();
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
  // Without this, the browser would open a file dropped elsewhere.
  event.preventDefault();
  zone.classList.toggle('dropping', event.type === 'dragover');
  if (event.type === 'drop') startUploads([...event.dataTransfer.files]);
}

function startUploads(files: readonly File[]) {
  const form = document.querySelector<HTMLFormElement>('form[data-uploads]');
  if (!form) return;
  for (const file of files) {
    const place = toUploadTarget(form);
    const isSame = (each: UnfinishedUpload) =>
      each.uploads === place.uploads && each.target === place.target && matchesFile(each, file);
    const [kept, row] = [...interruptedUploads].find(([each]) => isSame(each)) ?? [null, null];
    if (kept) interruptedUploads.delete(kept);
    startUpload(file, place, row ?? new UploadRow(file.name), kept);
  }
}

function startUpload(file: File, place: UploadTarget, row: UploadRow, kept: UnfinishedUpload | null) {
  if (file.size === 0) {
    row.show({ kind: 'failed', message: 'This file is empty.' }, file.size);
    row.offer('Remove', () => row.remove());
    return;
  }
  const upload = new Upload(file, place, (state) => showUploadState(upload, row, state), kept);
  runningUploads.set(upload, { target: place.target, row });
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
    row.offer('Remove', () => row.remove());
    showToast(`${file.name}: ${state.message}`);
  } else if (state.kind === 'paused') {
    row.offer('Resume', () => void upload.start());
    row.offer('Cancel', cancel);
  } else {
    row.offer('Pause', () => upload.pause());
    row.offer('Cancel', cancel);
  }
}

/** Upload sessions last a day, but the person must select the file again after a reload. */
async function listInterruptedUploads() {
  const form = document.querySelector<HTMLFormElement>('form[data-uploads]');
  if (!form) return;
  const { uploads, target, csrf } = toUploadTarget(form);
  for (const kept of listUnfinishedUploads()) {
    if (kept.uploads !== uploads || kept.target !== target) continue;
    if ([...runningUploads.keys()].some(({ session }) => session === kept.session)) continue;
    const known = [...interruptedUploads.keys()].find(({ session }) => session === kept.session);
    if (known) interruptedUploads.delete(known);
    const answer = await fetch(`${uploads}/${kept.session}`).catch(() => null);
    // The person has opened another task in the panel.
    if (!form.isConnected) return;
    const status = answer?.ok ? await answer.json() : null;
    const isGone = answer && answer.status !== 401 && answer.status !== 429 && answer.status < 500;
    if (isGone && status?.status !== 'open') {
      deleteUnfinishedUpload(kept);
      continue;
    }
    const row = new UploadRow(kept.name);
    interruptedUploads.set(kept, row);
    row.show({ kind: 'paused', sent: status?.receivedBytes ?? 0 }, kept.size);
    row.offer('Choose the file again', () =>
      form.querySelector<HTMLInputElement>('input[type="file"]')?.click(),
    );
    row.offer('Cancel', () => {
      interruptedUploads.delete(kept);
      row.remove();
      void abortUpload(kept, { csrf });
    });
  }
}
