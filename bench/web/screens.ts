// Measures each screen of the web app: round trips and rows, which are the same on every machine, and CPU time.
import type { RunningBenchWorkspace } from './bench-workspace.ts';
import type { BenchWorkspace, ScreenCost } from './messages.ts';

/** Each screen is opened this many times, because the system reports CPU time in steps of 10 ms. */
const OPENINGS_PER_SCREEN = 20;

function listScreens({
  projects,
  cardsInLong,
  task,
}: BenchWorkspace): readonly (readonly [name: string, path: string])[] {
  const { usual: project, long, short } = projects;
  return [
    ['my work', ''],
    ['inbox', '/inbox'],
    ['projects', '/projects'],
    ['board', `/projects/${project}`],
    ['board by deadline', `/projects/${project}?sort=due`],
    ['board, text', `/projects/${project}?q=quartz`],
    [`board, a column of ${cardsInLong.toLocaleString('en')}`, `/projects/${long}`],
    ['board, columns of 10', `/projects/${short}`],
    ['board of everything', '/board'],
    ['board of everything by deadline', '/board?sort=due'],
    ['board of what is due', '/board?due=week'],
    ['board of unassigned tasks', '/board?assignee=none'],
    ['saved filters', '/filters'],
    ['list of everything', '/tasks'],
    ['list of what is overdue', '/tasks?due=overdue'],
    ['list of a project by deadline', `/tasks?project=${project}&sort=due`],
    ['list, text', '/tasks?q=invoice'],
    ['task', `/tasks/${task}`],
    ['calendar', '/calendar?who=all'],
    ['dashboard', '/dashboard'],
    ['dashboard, a month', '/dashboard?mode=monthly'],
    ['dashboard, a team', '/dashboard?team=1'],
    ['dashboard, projects of a status', '/dashboard?projectStatus=active'],
    ['dashboard, some days', '/dashboard?from=2026-11-01&to=2026-11-30'],
    ['dashboard, text', '/dashboard?q=invoice'],
    ['time', '/time'],
    ['report of hours', '/time-report'],
    ['search', '/search?q=quartz'],
    ['search, a common word', '/search?q=invoice'],
    ['project: files', `/projects/${project}/files`],
    ['project: settings', `/projects/${project}/settings`],
    ['people', '/people'],
    ['teams', '/teams'],
    ['categories', '/categories'],
    ['fields', '/fields'],
    ['settings', '/settings'],
    ['webhooks', '/webhooks'],
  ];
}

export async function measureScreens(workspace: RunningBenchWorkspace): Promise<ScreenCost[]> {
  const costs: ScreenCost[] = [];
  for (const [name, path] of listScreens(workspace)) {
    // The first request fills caches, so it isn't measured.
    await openScreen(workspace, path);
    const before = workspace.cpuMs();
    let last = await openScreen(workspace, path);
    for (let time = 1; time < OPENINGS_PER_SCREEN; time += 1) last = await openScreen(workspace, path);
    const after = workspace.cpuMs();
    const cpuMs = before === null || after === null ? null : (after - before) / OPENINGS_PER_SCREEN;
    costs.push({ name, cpuMs, ...last });
  }
  return costs;
}

async function openScreen({ base, cookie }: BenchWorkspace, path: string) {
  const answer = await fetch(base + path, {
    headers: { Cookie: `${cookie.name}=${cookie.value}`, Accept: 'text/html' },
    redirect: 'manual',
  });
  const html = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} returned ${answer.status}: ${html.slice(0, 500)}`);
  const [, trips, rowsRead] = /trips=(\d+) .*rows_read=(\d+)/.exec(answer.headers.get('X-Cost') ?? '') ?? [];
  return { trips: Number(trips), rowsRead: Number(rowsRead), bytes: Buffer.byteLength(html) };
}
