import { AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import type { AttachmentTarget } from '../attachments/attachments.queries.ts';
import type { SessionState, UploadPlan } from './session-state.ts';

const MISSING_CHUNKS_SHOWN_MAX = 20;

export function sessionNotFoundError(id: string): AppError {
  return new AppError(
    'not_found',
    ({ call }) =>
      `No upload session '${id}' is visible to this credential. Upload sessions are private to the person who opened them and expire after 24 hours. Open a session with ${call('initUpload')}.`,
  );
}

export function sessionClosedError(id: string, state: SessionState): AppError {
  const word = { open: 'open', completing: 'being completed', assembled: 'being completed' };
  const status = state in word ? word[state as 'open'] : state;
  return invalidRequestError(
    ({ call }) =>
      `Upload session '${id}' is ${status} and accepts no more chunks. Open another session with ${call('initUpload')}.`,
  );
}

export function getPartSize(
  { chunkSize, totalChunks, fileSize }: Pick<UploadPlan, 'chunkSize' | 'totalChunks' | 'fileSize'>,
  number: number,
): number {
  if (number > totalChunks) {
    throw invalidRequestError(
      `partNumber must be an integer from 1 to ${totalChunks}; got ${number}`,
      'partNumber',
    );
  }
  return number < totalChunks ? chunkSize : fileSize - chunkSize * (totalChunks - 1);
}

export function missingPartsError(numbers: readonly number[], total: number): AppError {
  const shown = numbers.slice(0, MISSING_CHUNKS_SHOWN_MAX).join(', ');
  const more =
    numbers.length > MISSING_CHUNKS_SHOWN_MAX ? ` and ${numbers.length - MISSING_CHUNKS_SHOWN_MAX} more` : '';
  return invalidRequestError(
    ({ call }) =>
      `${numbers.length} of ${total} chunks are missing: ${shown}${more}. Upload them with ${call('uploadChunk')}, then complete the session again.`,
  );
}

export function parseUploadTarget(task: number | undefined, project: number | undefined): AttachmentTarget {
  if (task !== undefined) return { task };
  if (project !== undefined) return { project };
  throw invalidRequestError(
    'taskId or projectId is required: the task or project to attach the file to',
    'taskId',
  );
}
