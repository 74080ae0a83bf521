// Tasks of the newcomer from creation to archive, with comments and history; then what others of the demo may not do.
import type { Actor, Options } from '../recorder.ts';
import type { People, Person } from './people.ts';

const FAR = '2040-05-07';

export interface OwnTasks {
  readonly projectId: number;
  readonly taskId: number;
  readonly otherId: number;
}

export async function recordTasks({ newcomer, outsider }: People): Promise<OwnTasks> {
  const projects = await newcomer.call('GET', '/v1/projects');
  const projectId = projects.read<number>('data.0.id');
  const task = await create(newcomer, {
    projectId,
    name: '  Proof <b>sheets</b> & "quotes" ✓ ',
    description:
      '<p onclick="x()">Bold <strong>claims</strong> &amp; <a href="javascript:x">links</a></p><script>x</script>',
    priority: 'high',
    assigneeId: newcomer.userId,
    startDate: '2040-05-01',
    deadline: FAR,
    customEstimatedHours: '6.5',
  });
  const other = await create(newcomer, { projectId, name: 'Second task' });
  await recordRefusedCreates(newcomer, projectId, outsider);
  const path = `/v1/tasks/${task}`;
  await recordChanges(newcomer, path);
  await recordRepeats(newcomer, path, projectId);
  await recordComments(newcomer, path);
  await newcomer.call('POST', `${path}/duplicate`, {});
  await newcomer.call('POST', `${path}/duplicate`, { name: 'No' });
  await recordLists(newcomer, path);
  for (const [method, rest, body] of [
    ['GET', ''],
    ['PATCH', '', { name: 'Mine now' }],
    ['POST', '/archive', {}],
    ['POST', '/comments', { content: 'Hello' }],
    ['GET', '/activities'],
  ] as const) {
    await outsider.call(method, path + rest, body);
  }
  return { projectId, taskId: task, otherId: other };
}

/** Kept apart: an archived task refuses what other steps need. */
export async function recordArchiving({ newcomer }: People, { otherId }: OwnTasks) {
  const path = `/v1/tasks/${otherId}`;
  await newcomer.call('POST', `${path}/archive`, {});
  await newcomer.call('POST', `${path}/archive`, {});
  await newcomer.call('PATCH', path, { name: 'Too late' });
  await newcomer.call('POST', `${path}/comments`, { content: 'Too late' });
  await newcomer.call('POST', '/v1/timer/start', { taskId: otherId });
  await newcomer.call('GET', '/v1/tasks?isArchived=true');
  await newcomer.call('POST', `${path}/unarchive`, {});
  await newcomer.call('POST', `${path}/unarchive`, {});
}

async function create(actor: Actor, body: object): Promise<number> {
  return (await actor.call('POST', '/v1/tasks', body)).read<number>('id');
}

async function recordRefusedCreates(actor: Person, projectId: number, outsider: Person) {
  const bodies = [
    {},
    { projectId, name: ' ' },
    { projectId, name: 'x'.repeat(501) },
    { projectId: 999_999, name: 'Nowhere' },
    { projectId, name: 'A', status: 'done' },
    { projectId, name: 'A', priority: 'urgent', deadline: '2040-02-30' },
    { projectId, name: 'A', assigneeId: outsider.userId },
    { projectId, name: 'A', categoryId: 999_999 },
    { projectId, name: 'A', customEstimatedHours: 'two' },
    { projectId, name: 'A', assignee: 'me', tags: ['x'] },
    [1],
  ];
  for (const body of bodies) await actor.call('POST', '/v1/tasks', body);
  const json = { 'Content-Type': 'application/json' };
  await actor.call('POST', '/v1/tasks', undefined, { raw: '{"name":', headers: json });
  await actor.call('POST', '/v1/tasks', undefined, {
    raw: 'name=A',
    headers: { 'Content-Type': 'text/plain' },
  });
  await actor.call('POST', '/v1/tasks?limit=1', { projectId, name: 'A' });
}

async function recordChanges(actor: Person, path: string) {
  const before = await actor.call('GET', path);
  const tag = String(before.headers.etag);
  const when = (value: string): Options => ({ headers: { 'If-Match': value } });
  await actor.call('PATCH', path, { status: 'in_progress' }, when(tag));
  await actor.call('PATCH', path, { status: 'todo' }, when(tag));
  await actor.call('PATCH', path, { status: 'internal_review', deadline: null }, when('*'));
  await actor.call('PATCH', path, { status: 'internal_review' });
  await actor.call('PATCH', path, { assigneeId: null, description: null, customEstimatedHours: null });
  await actor.call('PATCH', path, { name: 'Proof sheets', priority: 'low', assigneeId: actor.userId });
  await actor.call('PATCH', path, {});
  await actor.call('PATCH', path, { status: 'gone' });
  await actor.call('PATCH', path, { projectId: 1 });
  await actor.call('PATCH', path, { id: 1 });
  await actor.call('PATCH', '/v1/tasks/999999', { name: 'Nobody' });
}

/** Repeats with an idempotency key: the same answer, nothing done twice; another request is refused. */
async function recordRepeats(actor: Actor, path: string, projectId: number) {
  const once = (key: string): Options => ({ headers: { 'Idempotency-Key': key } });
  const draft = { projectId, name: 'Only once' };
  await actor.call('POST', '/v1/tasks', draft, once('record-1'));
  await actor.call('POST', '/v1/tasks', draft, once('record-1'));
  await actor.call('POST', '/v1/tasks', { ...draft, name: 'Another' }, once('record-1'));
  await actor.call('POST', '/v1/tasks', draft, once('x'.repeat(256)));
  await actor.call('PATCH', path, { status: 'client_review' }, once('record-2'));
  await actor.call('PATCH', path, { status: 'client_review' }, once('record-2'));
  await actor.call('POST', `${path}/comments`, { content: 'Said once' }, once('record-3'));
  await actor.call('POST', `${path}/comments`, { content: 'Said once' }, once('record-3'));
}

async function recordComments(actor: Actor, path: string) {
  const first = await actor.call('POST', `${path}/comments`, { content: ' First <i>words</i> ' });
  await actor.call('POST', `${path}/comments`, { content: 'Second, with the word kraftpaper' });
  await actor.call('POST', `${path}/comments`, { content: '' });
  await actor.call('POST', `${path}/comments`, { text: 'A' });
  const comment = `${path}/comments/${first.read<number>('id')}`;
  await actor.call('PATCH', comment, { content: 'First words, corrected' });
  await actor.call('PATCH', comment, { content: ' ' });
  await actor.call('PATCH', `${path}/comments/999999`, { content: 'Nobody' });
  await actor.call('DELETE', comment);
  await actor.call('DELETE', comment);
}

async function recordLists(actor: Actor, path: string) {
  await actor.call('GET', `${path}/comments`);
  await actor.call('GET', `${path}/comments?limit=1&fields=id,content`);
  await actor.call('GET', `${path}/activities`);
  await actor.call('GET', `${path}/activities?limit=2&offset=1`);
  await actor.call('GET', path);
  await actor.call('GET', '/v1/tasks?expand=comments');
  await actor.call('GET', '/v1/tasks?search=PROOF');
  await actor.call('GET', '/v1/dashboard/comments?search=kraftpaper');
  await actor.call('GET', '/v1/dashboard/comments?limit=1');
  await actor.call('GET', `/v1/dashboard/stats?localDate=${FAR}`);
  await actor.call('GET', `/v1/dashboard/tasks?localDate=${FAR}&sort=due`);
  await actor.call('GET', '/v1/dashboard/workload?from=2040-05-01&to=2040-05-31');
}
