import { showToast } from './toast.ts';
import { forget, isSameFile, type Kept, listUnfinishedUploads } from './unfinished-uploads.ts';
import { abortUpload, type Place, type State, Upload } from './upload.ts';
import { UploadRow } from './upload-row.ts';

const running = new Set<Upload>();
const interrupted = new Map<Kept, UploadRow>();

export function enhanceUploads() {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'file' || !findUploadForm(target)) return;
    takeFiles([...(target.files ?? [])]);
    target.value = '';
  });
  for (const type of ['dragover', 'dragleave', 'drop'] as const) document.addEventListener(type, onDrag);
  window.addEventListener('beforeunload', (event) => {
    if ([...running].some(({ isOn }) => isOn)) event.preventDefault();
  });
  void listInterruptedUploads();
}

function findUploadForm(element: Element | null): HTMLFormElement | null {
  return element?.closest<HTMLFormElement>('form[data-uploads]') ?? null;
}

function toPlace(form: HTMLFormElement): Place {
  return {
    uploads: form.dataset.uploads ?? '',
    target: form.dataset.target ?? '',
    csrf: () => document.querySelector<HTMLInputElement>('form[data-uploads] [name="csrf"]')?.value ?? '',
  };
}

function onDrag(event: DragEvent) {
  if (!event.dataTransfer?.types.includes('Files')) return;
  const zone = document.querySelector<HTMLElement>('[data-drop]');
  if (!zone) return;
  // Without this, the browser would open a file dropped elsewhere.
  event.preventDefault();
  zone.classList.toggle('dropping', event.type === 'dragover');
  if (event.type === 'drop') takeFiles([...event.dataTransfer.files]);
}

function takeFiles(files: readonly File[]) {
  const form = document.querySelector<HTMLFormElement>('form[data-uploads]');
  if (!form) return;
  for (const file of files) {
    const place = toPlace(form);
    const [kept, row] = [...interrupted].find(([each]) => isSameFile(each, file)) ?? [null, null];
    if (kept) interrupted.delete(kept);
    startUpload(file, place, row ?? new UploadRow(file.name), kept);
  }
}

function startUpload(file: File, place: Place, row: UploadRow, kept: Kept | null) {
  if (file.size === 0) {
    row.show({ kind: 'failed', message: 'This file is empty.' }, file.size);
    row.offer('Remove', () => row.remove());
    return;
  }
  const upload = new Upload(file, place, (state) => follow(upload, row, state), kept);
  running.add(upload);
  void upload.start();
}

function follow(upload: Upload, row: UploadRow, state: State) {
  const { file } = upload;
  row.show(state, file.size);
  const cancel = () => {
    running.delete(upload);
    row.remove();
    void upload.cancel();
  };
  if (state.kind === 'done') {
    running.delete(upload);
    row.remove();
    showToast(`${file.name} uploaded`);
    document.dispatchEvent(new CustomEvent('edgework:stale'));
  } else if (state.kind === 'failed') {
    running.delete(upload);
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

/** Upload sessions last a day, but the file has to be chosen again after a reload. */
async function listInterruptedUploads() {
  const form = document.querySelector<HTMLFormElement>('form[data-uploads]');
  if (!form) return;
  const { uploads, target, csrf } = toPlace(form);
  for (const kept of listUnfinishedUploads()) {
    if (kept.uploads !== uploads || kept.target !== target) continue;
    const answer = await fetch(`${uploads}/${kept.session}`).catch(() => null);
    const status = answer?.ok ? await answer.json() : null;
    const isGone = answer && answer.status !== 401 && answer.status < 500;
    if (isGone && status?.status !== 'open') {
      forget(kept);
      continue;
    }
    const row = new UploadRow(kept.name);
    interrupted.set(kept, row);
    row.show({ kind: 'paused', sent: status?.receivedBytes ?? 0 }, kept.size);
    row.offer('Choose the file again', () =>
      form.querySelector<HTMLInputElement>('input[type="file"]')?.click(),
    );
    row.offer('Cancel', () => {
      interrupted.delete(kept);
      row.remove();
      void abortUpload(kept, { csrf });
    });
  }
}
