// Programs that use generated clients, by generator. They are strings, because their imports exist only while the check
// runs. A line after `@ts-expect-error` shows that the generated types reject a mistake.

const openapiFetch = `import createClient from 'openapi-fetch';
import type { components, paths } from './openapi-typescript';

type Schemas = components['schemas'];

export async function call(baseUrl: string, token: string) {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${token}\` } });
  const created = await client.POST('/tasks', { body: { projectId: 1, name: 'Generated' } });
  if (!created.data) throw new Error(created.error.error.message);
  const { id } = created.data;
  const found = await client.GET('/tasks/{id}', { params: { path: { id } } });
  const task: Schemas['TaskDetail'] | undefined = found.data;
  if (!task) throw new Error(found.error?.error.message);
  const trimmed = await client.GET('/tasks/{id}', { params: { path: { id }, query: { fields: ['id', 'name'] } } });
  const part: Schemas['TaskDetailFields'] = trimmed.data ?? {};
  const page = await client.GET('/tasks', { params: { query: { limit: 1, status: ['open'] } } });
  const listed: Schemas['Task'][] = page.data?.data ?? [];
  return { name: task.name, status: task.status, fields: Object.keys(part), listed: listed.length };
}

// @ts-expect-error: the name of the field is misspelled.
export const misspelled: paths['/tasks/{id}']['get']['parameters']['query'] = { fields: ['nmae'] };
`;

const heyApi = `import { createTask, getTask, listTasks, uploadChunk, type TaskDetail, type TaskDetailFields } from './hey-api';
import { createClient } from './hey-api/client';

export async function call(baseUrl: string, token: string) {
  const client = createClient({ baseUrl, auth: token });
  const created = await createTask({ client, body: { projectId: 1, name: 'Generated' } });
  if (!created.data) throw new Error(created.error.error.message);
  const { id } = created.data;
  const { data: task } = await getTask({ client, path: { id } });
  if (!task) throw new Error('no task');
  const whole: TaskDetail = task;
  const { data: part } = await getTask({ client, path: { id }, query: { fields: ['id', 'name'] } });
  const trimmed: TaskDetailFields = part ?? {};
  const { data: page } = await listTasks({ client, query: { limit: 1, status: ['open'] } });
  return { name: whole.name, status: whole.status, fields: Object.keys(trimmed), listed: page?.data.length };
}

export function upload(sessionId: string, chunk: Blob) {
  return uploadChunk({ path: { sessionId, partNumber: 1 }, body: chunk });
}

// @ts-expect-error: the name of the field is misspelled.
export const misspelled = () => getTask({ path: { id: 1 }, query: { fields: ['nmae'] } });
`;

const orval = `import { createTask, getTask, listTasks, uploadChunk, type TaskDetail, type TaskDetailFields } from './orval';

export async function call(_: string, token: string) {
  const headers = { Authorization: \`Bearer \${token}\` };
  const created = await createTask({ projectId: 1, name: 'Generated' }, {}, { headers });
  if (created.status !== 201) throw new Error(\`createTask returned \${created.status}\`);
  const { id } = created.data;
  const found = await getTask(id, {}, { headers });
  if (found.status !== 200) throw new Error(\`getTask returned \${found.status}\`);
  const whole: TaskDetail = found.data;
  const part = await getTask(id, { fields: ['id', 'name'] }, { headers });
  const trimmed: TaskDetailFields = part.status === 200 ? part.data : {};
  const page = await listTasks({ limit: 1, status: ['open'] }, { headers });
  const listed = page.status === 200 ? page.data.data.length : 0;
  return { name: whole.name, status: whole.status, fields: Object.keys(trimmed), listed };
}

export const upload = (sessionId: string, chunk: Blob) => uploadChunk(sessionId, 1, chunk);

// @ts-expect-error: the name of the field is misspelled.
export const misspelled = () => getTask(1, { fields: ['nmae'] });
`;

export const clientPrograms = {
  'openapi-fetch': openapiFetch,
  'hey-api-client': heyApi,
  'orval-client': orval,
};
