// What programs do in the newcomer's workspace: many tasks at once, past time, the feed of events, webhooks.
import type { Actor } from '../recorder.ts';
import type { People } from './people.ts';

export async function recordPrograms({ newcomer }: People) {
  const projects = await newcomer.call('GET', '/v1/projects');
  const projectId = projects.read<number>('data.0.id');
  const taskId = await recordBulk(newcomer, projectId);
  await recordPastTime(newcomer, taskId);
  await recordFeed(newcomer, projectId);
  await recordWebhooks(newcomer, projectId);
}

async function recordBulk(actor: Actor, projectId: number): Promise<number> {
  const tasks = ['First', 'Second', 'Third'].map((name) => ({ projectId, name, priority: 'low' }));
  const made = await actor.call('POST', '/v1/tasks/bulk', { tasks }, once('many'));
  await actor.call('POST', '/v1/tasks/bulk', { tasks }, once('many'));
  const ids = [0, 1, 2].map((index) => made.read<number>(`data.${index}.task.id`));
  const [first = 0] = ids;
  const good = { projectId, name: 'Good' };
  for (const mode of ['all', 'each'])
    await actor.call('POST', '/v1/tasks/bulk', {
      mode,
      tasks: [good, { ...good, name: '' }, { name: 'No' }],
    });
  await actor.call('PATCH', '/v1/tasks/bulk', { ids, set: { status: 'in_progress' } });
  const updates = [
    { id: first, name: 'Renamed' },
    { id: 999_999, name: 'No such task' },
    { id: first, ifVersion: '"old"', priority: 'high' },
  ];
  for (const mode of ['all', 'each']) await actor.call('PATCH', `/v1/tasks/bulk?mode=${mode}`, { updates });
  await actor.call('PATCH', '/v1/tasks/bulk', { ids });
  for (const verb of ['archive', 'archive', 'unarchive', 'unarchive'])
    await actor.call('POST', `/v1/tasks/bulk/${verb}`, { ids });
  await actor.call('POST', '/v1/tasks/bulk/archive?mode=each', { ids: [first, 999_999] });
  await actor.call('POST', '/v1/tasks/bulk/unarchive', { ids: [first] });
  await actor.call('GET', '/v1/tasks?status=open&priority=low,high&sort=due&fields=id,name,status');
  await actor.call('GET', '/v1/tasks?updatedSince=2040-01-01T00:00:00Z');
  await actor.call('GET', '/v1/tasks?dueFrom=2040-01-01&dueTo=2039-01-01');
  return first;
}

const once = (key: string) => ({ headers: { 'Idempotency-Key': key } });

async function recordPastTime(actor: Actor, taskId: number) {
  const [startTime, endTime] = ['2026-03-02T09:00:00.000Z', '2026-03-02T11:30:00.000Z'];
  const made = await actor.call('POST', '/v1/timer/entries', { taskId, startTime, endTime });
  const entry = `/v1/timer/entries/${made.read<number>('id')}`;
  for (const wrong of [
    { endTime: startTime },
    { startTime: 'noon' },
    { endTime: '2040-01-01T00:00:00.000Z' },
  ])
    await actor.call('POST', '/v1/timer/entries', { taskId, startTime, endTime, ...wrong });
  await actor.call('PATCH', entry, { endTime: '2026-03-02T12:00:00.000Z' });
  await actor.call('PATCH', entry, { endTime: '2026-03-01T12:00:00.000Z' });
  await actor.call('GET', '/v1/timer/entries?from=2026-03-01&to=2026-03-03');
  await actor.call('DELETE', entry);
  await actor.call('DELETE', entry);
}

async function recordFeed(actor: Actor, projectId: number) {
  const page = await actor.call('GET', '/v1/events?after=0&limit=3');
  await actor.call('GET', `/v1/events?after=${page.read<number>('data.2.seq')}&limit=2`);
  await actor.call('GET', `/v1/events?after=0&types=task.created&projectId=${projectId}&limit=2`);
  for (const query of ['after=1e9', 'after=-1', 'types=task.vanished', 'wait=3600'])
    await actor.call('GET', `/v1/events?${query}`);
}

/** No event of the record is of its kind, so that nothing is on its way while answers are compared. */
async function recordWebhooks(actor: Actor, projectId: number) {
  const draft = { url: 'https://hooks.example.com/edgework', types: ['comment.deleted'], projectId };
  const made = await actor.call('POST', '/v1/webhooks', draft);
  const webhook = `/v1/webhooks/${made.read<number>('id')}`;
  for (const url of ['http://example.com/', 'https://127.0.0.1/', 'https://metadata.internal/', 'nowhere'])
    await actor.call('POST', '/v1/webhooks', { ...draft, url });
  await actor.call('POST', '/v1/webhooks', { ...draft, types: ['task.vanished'] });
  await actor.call('PATCH', webhook, { status: 'paused', description: 'A copy of the board' });
  await actor.call('PATCH', webhook, { status: 'asleep' });
  await actor.call('GET', '/v1/webhooks');
  await actor.call('POST', `${webhook}/rotate-secret`, {});
  await actor.call('POST', `${webhook}/replay`, { after: 0 });
  await actor.call('POST', `${webhook}/replay`, { after: -1 });
  await actor.call('POST', `${webhook}/test`, {});
  await actor.call('GET', webhook);
  await actor.call('GET', `${webhook}/deliveries`);
  await actor.call('DELETE', webhook);
  await actor.call('DELETE', webhook);
}
