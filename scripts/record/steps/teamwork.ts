// What several people of the demo do together: assignments and their notifications, meetings, refusals by role.
import type { Actor } from '../recorder.ts';
import type { People } from './people.ts';

export async function recordTeamwork(people: People) {
  const { lead, member, client, owner } = people;
  const mine = await lead.call('GET', '/v1/projects?scope=mine&limit=1&expand=members');
  const projectId = mine.read<number>('data.0.id');
  const draft = { projectId, name: 'Teamwork', assigneeId: lead.userId };
  const task = `/v1/tasks/${(await lead.call('POST', '/v1/tasks', draft)).read<number>('id')}`;
  const said = await owner.call('POST', `${task}/comments`, { content: 'Whose turn is it?' });
  const comment = `${task}/comments/${said.read<number>('id')}`;
  await lead.call('PATCH', task, { assigneeId: member.userId });
  await owner.call('PATCH', task, { status: 'completed' });
  await member.call('PATCH', comment, { content: 'Not mine to change' });
  await member.call('DELETE', comment);
  await client.call('PATCH', task, { status: 'todo' });
  await client.call('POST', '/v1/tasks', { ...draft, name: 'By a client' });
  await recordNotifications(lead);
  await recordMeetings(people, projectId);
  await recordTimers(people, Number(task.split('/').at(-1)));
}

async function recordNotifications(actor: Actor) {
  await actor.call('GET', '/v1/notifications/count');
  const list = await actor.call('GET', '/v1/notifications?limit=2');
  await actor.call('GET', '/v1/notifications?unreadOnly=true&limit=2&fields=id,type,isRead');
  await actor.call('GET', '/v1/notifications?unreadOnly=maybe');
  const id = list.read<number>('data.0.id');
  await actor.call('PUT', `/v1/notifications/${id}/read`, {});
  await actor.call('PUT', `/v1/notifications/${id}/read`, {});
  await actor.call('PUT', '/v1/notifications/999999999/read', {});
  await actor.call('DELETE', `/v1/notifications/${id}`);
  await actor.call('DELETE', `/v1/notifications/${id}`);
  await actor.call('PUT', '/v1/notifications/read-all', {});
  await actor.call('GET', '/v1/notifications/count');
}

async function recordMeetings({ lead, member, client }: People, projectId: number) {
  const draft = {
    projectId,
    name: 'Recorded meeting',
    description: '<p>Agenda</p><script>x</script>',
    date: '2040-06-04',
    time: '14:30',
    participantIds: [lead.userId],
  };
  const weekly = { ...draft, recurrence: 'FREQ=WEEKLY;BYDAY=MO', location: 'Room 4' };
  const made = await lead.call('POST', '/v1/meetings', draft);
  const meeting = `/v1/meetings/${made.read<number>('id')}`;
  await lead.call('POST', '/v1/meetings', weekly);
  for (const wrong of [
    { ...draft, time: '25:00' },
    { ...draft, date: '2040-13-01' },
    { ...draft, participantIds: [] },
    { ...draft, participantIds: ['usr_nobody'] },
    { ...draft, duration: { hours: 0 } },
    { ...draft, meetingLink: 'javascript:x' },
    { ...draft, recurrence: 'FREQ=YEARLY' },
    { ...draft, projectId: 999_999 },
  ]) {
    await lead.call('POST', '/v1/meetings', wrong);
  }
  await member.call('POST', '/v1/meetings', weekly);
  await lead.call('PATCH', meeting, { time: '15:00', meetingLink: 'https://meet.example.com/x' });
  await lead.call('PATCH', meeting, { date: 'soon' });
  await client.call('PATCH', meeting, { time: '09:00' });
  await lead.call('GET', meeting);
  await lead.call('GET', '/v1/meetings?from=2040-01-01&order=desc');
  await client.call('DELETE', meeting);
  await lead.call('DELETE', meeting);
  await lead.call('DELETE', meeting);
}

/** The newcomer's time is her own; that of the demo has a timer that runs since before the record. */
async function recordTimers({ newcomer }: People, foreignTask: number) {
  const list = await newcomer.call('GET', '/v1/tasks?limit=1');
  const taskId = list.read<number>('data.0.id');
  await newcomer.call('GET', '/v1/timer/current');
  await newcomer.call('POST', '/v1/timer/stop', {});
  await newcomer.call('POST', '/v1/timer/start', { taskId });
  await newcomer.call('GET', '/v1/timer/current');
  await newcomer.call('POST', '/v1/timer/stop', {});
  await newcomer.call('POST', '/v1/timer/start', { taskId: foreignTask });
  await newcomer.call('POST', '/v1/timer/start', { taskId: 'one' });
  await newcomer.call('GET', '/v1/timer/entries?limit=1');
  await newcomer.call('GET', '/v1/timer/entries?from=2040-02-02&to=2040-01-01');
  await newcomer.call('GET', '/v1/timer/stats?period=day');
  await newcomer.call('GET', '/v1/timer/stats?period=ever');
}
