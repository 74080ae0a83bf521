// Uploads files in chunks. An upload can resume after a pause, a reload or a server outage.
import { Backoff } from './backoff.ts';
import { RETRY_UPLOADS_EVENT } from './image-upload-request.ts';
import {
  deleteUnfinishedUpload,
  storeUnfinishedUpload,
  type UnfinishedUpload,
} from './unfinished-uploads.ts';

const RETRY_DELAY_MS_MAX = 15_000;

export type UploadState =
  | { readonly kind: 'sending'; readonly sent: number }
  | { readonly kind: 'waiting'; readonly sent: number; readonly isSignedOut: boolean }
  | { readonly kind: 'paused'; readonly sent: number }
  | { readonly kind: 'done'; readonly attachment: number }
  | { readonly kind: 'failed'; readonly message: string };

export interface UploadTarget {
  readonly uploads: string;
  readonly target: string;
  /** The token changes when the person signs in again. */
  csrf(): string;
}

/** Thrown if the session has ended. The upload continues once the person has signed in again in another tab. */
class SignedOutError extends Error {
  readonly csrf: string;

  constructor(csrf: string) {
    super();
    this.csrf = csrf;
  }
}

class UploadRejectedError extends Error {}

export class Upload {
  readonly file: File;
  readonly #target: UploadTarget;
  readonly #show: (state: UploadState) => void;
  #unfinished: UnfinishedUpload | null;
  readonly #retry = new Backoff(RETRY_DELAY_MS_MAX);
  #sent = 0;
  #request: XMLHttpRequest | null = null;
  #isRunning = false;
  #run = 0;

  constructor(
    file: File,
    place: UploadTarget,
    show: (state: UploadState) => void,
    unfinished: UnfinishedUpload | null = null,
  ) {
    this.file = file;
    this.#target = place;
    this.#show = show;
    this.#unfinished = unfinished;
  }

  get session(): string | undefined {
    return this.#unfinished?.session;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  async start() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#run += 1;
    const run = this.#run;
    const isEnded = () => !this.#isRunning || run !== this.#run;
    this.#show({ kind: 'sending', sent: this.#sent });
    while (!isEnded()) {
      try {
        await this.#sendMissingParts(isEnded);
        return;
      } catch (error) {
        if (isEnded()) return;
        if (error instanceof UploadRejectedError) {
          this.#isRunning = false;
          if (this.#unfinished) deleteUnfinishedUpload(this.#unfinished);
          this.#show({ kind: 'failed', message: error.message });
          return;
        }
        const isSignedOut = error instanceof SignedOutError;
        // A refresh during the request delivered a new token, so this retries immediately.
        if (isSignedOut && error.csrf !== this.#target.csrf()) continue;
        this.#show({ kind: 'waiting', sent: this.#sent, isSignedOut });
        if (isSignedOut) document.dispatchEvent(new CustomEvent('edgework:stale'));
        await this.#retry.wait(['edgework:morphed', RETRY_UPLOADS_EVENT]);
      }
    }
  }

  pause() {
    this.#isRunning = false;
    this.#request?.abort();
    this.#show({ kind: 'paused', sent: this.#sent });
  }

  async cancel() {
    this.#isRunning = false;
    this.#request?.abort();
    if (this.#unfinished) await abortUpload(this.#unfinished, this.#target);
  }

  async #sendMissingParts(isEnded: () => boolean) {
    const { file } = this;
    const unfinished = this.#unfinished ?? (await this.#openSession());
    const { missingParts } = await this.#sendRequest('GET', unfinished.session);
    for (const part of missingParts as number[]) {
      this.#sent = file.size - this.#countMissingBytes(unfinished, missingParts as number[], part);
      const from = (part - 1) * unfinished.chunkBytes;
      await this.#sendRequest(
        'PUT',
        `${unfinished.session}/parts/${part}`,
        file.slice(from, from + unfinished.chunkBytes),
      );
      if (isEnded()) return;
    }
    const { id } = await this.#sendRequest('POST', `${unfinished.session}/complete`);
    this.#isRunning = false;
    deleteUnfinishedUpload(unfinished);
    this.#show({ kind: 'done', attachment: id as number });
  }

  #countMissingBytes({ chunkBytes }: UnfinishedUpload, missing: readonly number[], from: number): number {
    return missing
      .filter((part) => part >= from)
      .reduce((sum, part) => sum + Math.min(chunkBytes, this.file.size - (part - 1) * chunkBytes), 0);
  }

  async #openSession(): Promise<UnfinishedUpload> {
    const { name, size, type, lastModified } = this.file;
    const fields = new URLSearchParams(this.#target.target);
    fields.set('fileName', name);
    fields.set('fileSize', String(size));
    fields.set('fileType', type.split(';')[0] || 'application/octet-stream');
    const { sessionId, chunkSize } = await this.#sendRequest('POST', '', fields);
    const { uploads, target } = this.#target;
    this.#unfinished = {
      session: sessionId as string,
      chunkBytes: chunkSize as number,
      name,
      size,
      lastModified,
      uploads,
      target,
    };
    storeUnfinishedUpload(this.#unfinished);
    return this.#unfinished;
  }

  /** Uses XMLHttpRequest, because `fetch` has no upload progress. */
  #sendRequest(method: string, path: string, body: Blob | URLSearchParams | null = null) {
    const sentBefore = this.#sent;
    const csrf = this.#target.csrf();
    const request = new XMLHttpRequest();
    this.#request = request;
    return new Promise<Record<string, unknown>>((resolve, reject) => {
      request.open(method, `${this.#target.uploads}${path && `/${path}`}`);
      request.setRequestHeader('X-CSRF-Token', csrf);
      request.setRequestHeader('Accept', 'application/json');
      request.responseType = 'json';
      request.upload.addEventListener('progress', ({ loaded }) => {
        if (!(body instanceof Blob) || !this.#isRunning) return;
        this.#sent = Math.min(this.file.size, sentBefore + loaded);
        this.#show({ kind: 'sending', sent: this.#sent });
      });
      request.addEventListener('load', () => {
        const { status, response } = request;
        if (status >= 200 && status < 300) {
          this.#retry.reset();
          resolve(response ?? {});
        } else if (status >= 500 || status === 429 || status === 0 || status === 408) reject(new Error());
        else if (status === 401 || response?.isExpired) reject(new SignedOutError(csrf));
        else
          reject(
            new UploadRejectedError(
              response?.message ?? `Upload failed (${status}). Remove this file, then add it again.`,
            ),
          );
      });
      for (const event of ['error', 'abort', 'timeout'] as const)
        request.addEventListener(event, () => reject(new Error(event)));
      request.send(body);
    });
  }
}

export async function abortUpload(unfinished: UnfinishedUpload, { csrf }: Pick<UploadTarget, 'csrf'>) {
  deleteUnfinishedUpload(unfinished);
  await fetch(`${unfinished.uploads}/${unfinished.session}/abort`, {
    method: 'POST',
    headers: { 'X-CSRF-Token': csrf() },
  }).catch(() => null);
}
