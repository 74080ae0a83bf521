import { listPathParameters, type Route } from '../../src/kernel/http/route.ts';
import { createId, createToken, hashSecret } from '../../src/kernel/secrets/tokens.ts';
import { routes } from '../../src/registry.ts';
import { getCell } from '../support/env.ts';
import type { Person, Workspace } from '../support/world.ts';

export const guardedRoutes = routes.filter((route) => route.operation.access !== 'public');

export const getRouteName = (route: Route) => `${route.method} ${route.path}`;

/** Fills in the path's parameters, by default with an unused id. */
export function fillPath(route: Route, ids: Readonly<Record<string, string | number>> = {}): string {
  const values: Readonly<Record<string, string | number>> = { reaction: 'heart', ...ids };
  return listPathParameters(route.path).reduce(
    (path, name) => path.replace(`:${name}`, String(values[name] ?? 999_999_999)),
    route.path,
  );
}

export const acceptsBody = (route: Route) => route.method !== 'GET' && route.method !== 'DELETE';

/** Valid bodies for routes that reject an empty body. */
const bodies: Readonly<Record<string, Record<string, unknown>>> = {
  'POST /tasks/bulk': { tasks: [{ projectId: 999_999_999, name: 'A task' }] },
  'PATCH /tasks/bulk': { ids: [999_999_999], set: { name: 'Another name' } },
  'POST /tasks/bulk/archive': { ids: [999_999_999] },
  'POST /tasks/bulk/unarchive': { ids: [999_999_999] },
  'POST /tasks/bulk/move': { ids: [999_999_999], projectId: 999_999_999 },
  'POST /tasks/bulk/delete': { ids: [999_999_999] },
  'POST /tasks/bulk/restore': { ids: [999_999_999] },
  'POST /tasks': { projectId: 999_999_999, name: 'A task' },
  'PATCH /tasks/:id': { name: 'Another name' },
  'POST /tasks/:id/move': { projectId: 999_999_999 },
  'POST /tasks/:id/subtasks/order': { ids: [999_999_999] },
  'POST /tasks/:id/relations': { type: 'blocks', taskId: 999_999_999 },
  'POST /tasks/:id/comments': { content: 'A remark' },
  'PATCH /tasks/:id/comments/:commentId': { content: 'Another remark' },
  'PUT /tasks/:id/checklist': { items: [{ text: 'A line' }] },
  'POST /tasks/:id/checklist/items': { text: 'A line' },
  'PATCH /tasks/:id/checklist/items/:itemId': { isDone: true },
  'PUT /tasks/:id/reminders': { items: [{ minutesBefore: 30 }] },
  'PUT /tasks/:id/recurrence': { rule: 'FREQ=DAILY', mode: 'schedule' },
  'POST /meetings': {
    projectId: 999_999_999,
    name: 'A meeting',
    date: '2026-12-01',
    time: '10:00',
    participantIds: ['usr_nobody'],
  },
  'PATCH /meetings/:id': { time: '11:00' },
  'POST /tasks/:id/attachments/presign': { fileName: 'plan.txt', fileType: 'text/plain', fileSize: 5 },
  'POST /tasks/:id/attachments/confirm': { s3Key: 'no-such-key' },
  'POST /chunked-upload/init': {
    taskId: 999_999_999,
    fileName: 'plan.txt',
    fileType: 'text/plain',
    fileSize: 5,
  },
  'POST /timer/entries': {
    taskId: 999_999_999,
    startTime: '2026-03-02T09:30:00.000Z',
    endTime: '2026-03-02T11:05:00.000Z',
  },
  'POST /timer/start': { taskId: 999_999_999 },
  'POST /connected-apps/api-keys': { name: 'A key' },
  'POST /imports': { projectId: 999_999_999, attachmentId: 999_999_999 },
  'POST /webhooks': { url: 'https://hooks.example.com/edgework' },
  'POST /webhooks/:id/replay': { after: 0 },
};

export function buildRequestBody(route: Route): Record<string, unknown> | string | undefined {
  if (route.body === 'bytes') return 'x';
  return acceptsBody(route) ? (bodies[getRouteName(route)] ?? {}) : undefined;
}

export function buildRequestHeaders(route: Route): Record<string, string> {
  return route.body === 'bytes' ? { 'Content-Type': 'application/octet-stream', 'Content-Length': '1' } : {};
}

export async function grantToken(
  { no, cell }: Pick<Workspace, 'no' | 'cell'>,
  person: Person,
  scopes: readonly string[],
  options: { expiresAt?: number; client?: string } = {},
): Promise<string> {
  const token = createToken('ew_oat_', cell);
  await getCell(cell)
    .prepare(
      "INSERT INTO credentials (hash, ws, member, kind, name, prefix, scopes, client_id, created_at, expires_at) VALUES (?, ?, ?, 'oauth', 'Test app', 'ew_oat_', ?, ?, ?, ?)",
    )
    .bind(
      hashSecret(token),
      no,
      person.member,
      scopes.join(' '),
      options.client ?? createId('usr'),
      Date.now(),
      options.expiresAt ?? null,
    )
    .run();
  return token;
}
