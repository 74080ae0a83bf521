// Lists and single items of the demo: filters, sorting, fields, relations, pages by offset and by cursor, refusals.
import type { Actor } from '../recorder.ts';
import type { People } from './people.ts';

const PAGES_FOLLOWED = 2;

// No comments of the demo: which remark stands where depends on the hour at which it was written.
const reads = [
  '/tasks',
  '/tasks?limit=3&offset=2',
  '/tasks?scope=all&limit=2&fields=id,name,status',
  '/tasks?scope=all&status=in_progress&priority=high',
  '/tasks?scope=all&search=Landing%20page',
  '/tasks?scope=all&search=e&limit=2',
  '/tasks?scope=all&isArchived=true&limit=3',
  '/tasks?mine=false&limit=1&offset=10',
  '/tasks?scope=all&limit=2&offset=100000',
  '/projects?expand=members&limit=2',
  '/projects?scope=mine',
  '/projects/1',
  '/projects/1?expand=members&fields=id,name,members',
  '/projects/1/members',
  '/projects/1/attachments',
  '/tasks/5',
  '/tasks/5?fields=id,name,project',
  '/tasks/5/attachments',
  '/task-statuses',
  '/task-statuses?includeInactive=true&limit=2',
  '/task-statuses/1',
  '/project-statuses',
  '/project-statuses/1',
  '/task-categories',
  '/task-categories?limit=2&offset=1',
  '/task-categories/1',
  '/task-types',
  '/task-types?categoryId=1&limit=2',
  '/task-types/1',
  '/users',
  '/users?limit=2&fields=id,initials',
  '/teams',
  '/meetings',
  '/meetings?order=desc&limit=1',
  '/meetings/1',
  '/dashboard/stats',
  '/dashboard/stats?projectId=1&status=in-progress',
  '/dashboard/stats?status=in_progress&search=poster',
  '/dashboard/tasks?limit=3',
  '/dashboard/tasks?sort=name&limit=3&status=client-review',
  '/dashboard/tasks?sort=created&search=web&limit=3',
  '/dashboard/tasks?sort=status&projectStatus=planned&limit=3',
  '/dashboard/workload',
  '/dashboard/workload?mode=monthly&teamId=1',
  '/connected-apps',
  '/notifications/count',
];

const refused = [
  '/tasks?limit=0',
  '/tasks?limit=101',
  '/tasks?limit=two',
  '/tasks?offset=-1',
  '/tasks?status=done',
  '/tasks?scope=theirs',
  '/tasks?fields=id,nope',
  '/tasks?expand=members',
  '/tasks?cursor=made-up',
  '/tasks?cursor=made-up&offset=1',
  '/tasks?assignee=me',
  '/tasks?status=todo&status=completed',
  '/tasks/0',
  '/tasks/abc',
  '/tasks/999999',
  '/projects/999999',
  '/projects?scope=theirs',
  '/users/usr_nobody',
  '/task-statuses/99',
  '/meetings?from=2026-02-30',
  '/meetings?order=up',
  '/dashboard/tasks?sort=size',
  '/dashboard/tasks?from=tomorrow',
  '/dashboard/workload?mode=weekly',
  '/dashboard/comments?search=%00',
  '/nothing',
];

/** Their next pages are followed by the cursor of the Link header. */
const paged = [
  '/tasks?scope=all&limit=2&projectId=1',
  '/tasks?scope=all&limit=2&search=the',
  '/dashboard/tasks?limit=2',
  '/projects?limit=2',
  '/users?limit=2',
  '/task-types?limit=5',
  '/meetings?limit=1',
];

export async function recordReads({ nobody, key, owner, lead, member, client, outsider }: People) {
  for (const path of reads) await sessionOf(path, { key, owner }).call('GET', `/v1${path}`);
  for (const path of refused) await key.call('GET', `/v1${path}`);
  for (const path of paged) await follow(key, path);
  for (const person of [lead, member, client, outsider]) {
    await person.call('GET', '/v1/tasks?limit=2');
    await person.call('GET', '/v1/projects?limit=3');
    await person.call('GET', '/v1/dashboard/stats');
    await person.call('GET', '/v1/dashboard/workload');
    await person.call('GET', '/v1/tasks/5');
  }
  await recordConditionalReads(key);
  await nobody.call('GET', '/health');
  await nobody.call('GET', '/');
  await nobody.call('GET', '/sign-in');
  await nobody.call('GET', '/nothing');
  await nobody.call('OPTIONS', '/v1/tasks', undefined, { headers: { Origin: 'https://app.example.com' } });
  await nobody.call('GET', '/health', undefined, { headers: { Host: 'tasks.example.com' } });
}

/** Keys cannot read the list of keys. */
function sessionOf(path: string, { key, owner }: Pick<People, 'key' | 'owner'>): Actor {
  return path.startsWith('/connected-apps') ? owner : key;
}

async function follow(actor: Actor, path: string) {
  let next: string | undefined = `/v1${path}`;
  for (let page = 0; next !== undefined && page <= PAGES_FOLLOWED; page += 1) {
    const { headers } = await actor.call('GET', next);
    const link = /<[^>]*?(\/v1[^>]*)>; rel="next"/.exec(String(headers.link ?? ''))?.[1];
    // A cursor belongs to its list: another one refuses it.
    if (link && page === 0) await actor.call('GET', link.replace(/limit=\d+/, 'limit=3&fields=id'));
    next = link;
  }
}

async function recordConditionalReads(actor: Actor) {
  const { headers } = await actor.call('GET', '/v1/task-categories');
  const tag = String(headers.etag);
  await actor.call('GET', '/v1/task-categories', undefined, { headers: { 'If-None-Match': tag } });
  await actor.call('GET', '/v1/task-categories', undefined, {
    headers: { 'If-None-Match': `"other", W/${tag}` },
  });
  await actor.call('GET', '/v1/task-categories', undefined, { headers: { 'If-None-Match': '"other"' } });
}
