import { type ApiResponse, api } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import type { Person, Workspace } from '../../support/world.ts';

/** Credentials for the S3 endpoint that vitest.config.ts emulates, for tests that replace the bindings. */
export const s3 = {
  R2_S3_ENDPOINT: env.R2_S3_ENDPOINT as string,
  R2_ACCESS_KEY_ID: env.R2_ACCESS_KEY_ID as string,
  R2_SECRET_ACCESS_KEY: env.R2_SECRET_ACCESS_KEY as string,
};

export function presignUpload(
  person: Person,
  task: number,
  body: Record<string, unknown> = {},
): Promise<ApiResponse> {
  return api(person.token, s3).post(`/tasks/${task}/attachments/presign`, {
    fileName: 'plan.txt',
    fileType: 'text/plain',
    fileSize: 5,
    ...body,
  });
}

export async function putBytes(uploadUrl: string, bytes: string, fileType = 'text/plain'): Promise<number> {
  const response = await fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'Content-Type': fileType },
    body: bytes,
  });
  await response.text();
  return response.status;
}

export async function listObjects({ id, cell }: Pick<Workspace, 'id' | 'cell'>): Promise<string[]> {
  const { objects } = await env.FILES.list({ prefix: `${cell}/${id}/` });
  return objects.map(({ key }) => key);
}

/** Returns the key of the uploaded object, which isn't confirmed yet. */
export async function presignAndUpload(
  person: Person,
  task: number,
  body: Record<string, unknown> = {},
  bytes: BodyInit = 'hello',
): Promise<string> {
  const answer = await presignUpload(person, task, body);
  if (answer.status !== 200) throw new Error(`presign returned ${answer.status}: ${answer.text}`);
  await env.FILES.put(answer.body.s3Key, bytes as string);
  return answer.body.s3Key;
}

export function confirmUpload(
  person: Person,
  task: number,
  body: Record<string, unknown>,
): Promise<ApiResponse> {
  return api(person.token).post(`/tasks/${task}/attachments/confirm`, body);
}
