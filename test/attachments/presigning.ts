import { type Answer, api } from '../support/api.ts';
import { env } from '../support/env.ts';
import type { Person } from '../support/world.ts';

/** Credentials of the S3 endpoint, which these tests never reach: they put the bytes by the binding. */
export const s3 = {
  R2_S3_ENDPOINT: 'https://account.r2.cloudflarestorage.com',
  R2_ACCESS_KEY_ID: 'test-key',
  R2_SECRET_ACCESS_KEY: 'test-secret',
};

export function presign(person: Person, task: number, body: Record<string, unknown> = {}): Promise<Answer> {
  return api(person.token, s3).post(`/tasks/${task}/attachments/presign`, {
    fileName: 'plan.txt',
    fileType: 'text/plain',
    fileSize: 5,
    ...body,
  });
}

/** Presigns and uploads, as a key to confirm. */
export async function uploaded(
  person: Person,
  task: number,
  body: Record<string, unknown> = {},
  bytes: BodyInit = 'hello',
): Promise<string> {
  const answer = await presign(person, task, body);
  if (answer.status !== 200) throw new Error(`presign answered ${answer.status}: ${answer.text}`);
  await env.FILES.put(answer.body.s3Key, bytes as string);
  return answer.body.s3Key;
}

export function confirm(person: Person, task: number, body: Record<string, unknown>): Promise<Answer> {
  return api(person.token).post(`/tasks/${task}/attachments/confirm`, body);
}
