// This file is long because it tests every option of `ew` by reading back what the option changed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { createProgram } from '../../src/command-line/program.ts';
import { toSafeJson } from '../../src/command-line/terminal/output.ts';
import { CommandLine, waitUntil } from './command-line.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';

const { server } = await openServerAndBrowser(async () => ew.remove());
const ew = new CommandLine(server.origin);
const project = 'Harbour Coffee rebrand';
let projectId: number;

before(async () => {
  await ew.prepare();
  projectId = (await ew.callApi('GET', '/projects?search=Harbour')).data[0].id;
});

const createTask = async (name: string, fields: object = {}) =>
  (await ew.callApi('POST', '/tasks', { projectId, name, ...fields })).id as number;
const readTask = (id: number) => ew.callApi('GET', `/tasks/${id}?expand=detail,structure,assignees`);

test('each option of task add and task edit sets its field, and "none" clears optional fields', async () => {
  const parent = await createTask('Parent of a task');
  const { data: people } = await ew.callApi('GET', '/users?search=Jonas');
  const me = await ew.callApi('GET', '/me');
  const made = await ew.runJson(
    [
      ...['task', 'add', 'Made by ew', '--project', project, '--description', '-', '--assignee', 'Jonas'],
      ...['--due', '2027-03-04', '--start', '2027-03-01', '--status', 'In progress', '--priority', 'high'],
      ...['--tags', 'print, urgent', '--tags', 'third', '--parent', `EW-${parent}`, '--estimate', '2.5'],
    ],
    { input: '**Bold** text\n' },
  );
  assert.partialDeepStrictEqual(await readTask(made.id), {
    name: 'Made by ew',
    description: '<p><strong>Bold</strong> text</p>',
    deadline: '2027-03-04',
    startDate: '2027-03-01',
    status: 'in_progress',
    priority: 'high',
    tags: ['print', 'urgent', 'third'],
    customEstimatedHours: '2.5',
    parent: { id: parent },
    assignee: { id: people[0].id },
    project: { id: projectId },
  });
  const cleared = ['description', 'assignee', 'due', 'start', 'tags', 'parent', 'estimate'];
  await ew.runJson([
    ...[
      'task',
      'edit',
      `#${made.id}`,
      '--name',
      'Renamed by ew',
      '--status',
      'completed',
      '--priority',
      'low',
    ],
    ...cleared.flatMap((option) => [`--${option}`, 'none']),
  ]);
  assert.partialDeepStrictEqual(await readTask(made.id), {
    name: 'Renamed by ew',
    description: null,
    deadline: null,
    startDate: null,
    status: 'completed',
    priority: 'low',
    tags: [],
    customEstimatedHours: null,
    parent: null,
    assignee: null,
  });
  await ew.runJson(['task', 'edit', String(made.id), '--assignee', 'me']);
  assert.equal((await readTask(made.id)).assignee.id, me.id);
  const nothing = await ew.run(['task', 'edit', String(made.id)]);
  assert.deepEqual([nothing.code, nothing.output], [2, '']);
});

test("task list applies each option, and prints tab-separated lines if its output isn't a terminal", async () => {
  const [late = 0, soon = 0] = [
    await createTask('Listed late', { deadline: '2020-01-02', priority: 'high', tags: ['ew-list'] }),
    await createTask('Listed soon', {
      deadline: '2030-05-06',
      status: 'client_review',
      tags: ['ew-list', 'Other'],
    }),
  ];
  const owner = await ew.callApi('GET', '/me');
  await ew.callApi('PATCH', `/tasks/${soon}`, { assigneeId: owner.id });
  const list = async (...args: string[]) =>
    (await ew.runJson(['task', 'list', '--tags', 'ew-list', ...args])).map(({ id }: { id: number }) => id);
  assert.deepEqual(await list(), [late, soon]);
  assert.deepEqual(await list('--sort', 'created'), [soon, late]);
  assert.deepEqual(await list('--limit', '1'), [late]);
  assert.deepEqual(await list('--overdue'), [late]);
  assert.deepEqual(await list('--due-from', '2030-05-06'), [soon]);
  assert.deepEqual(await list('--due-to', '2 jan 2020'), [late]);
  assert.deepEqual(await list('--status', 'client-review'), [soon]);
  assert.deepEqual(await list('--priority', 'high'), [late]);
  assert.deepEqual(await list('--assignee', 'me'), [soon]);
  assert.deepEqual(await list('--assignee', 'none'), [late]);
  assert.deepEqual(await list('--assignee', demo.owner), [soon]);
  assert.deepEqual(await list('--assignee', 'all', '--status', 'todo', '--status', 'client_review'), [
    late,
    soon,
  ]);
  assert.deepEqual(await list('--search', 'listed soon'), [soon]);
  assert.deepEqual(await list('--project', project), [late, soon]);
  assert.deepEqual(await list('--project', String(projectId), '--tags', 'Other'), [late, soon]);
  const { output, errors } = await ew.run(['task', 'list', '--tags', 'ew-list', '--limit', '1']);
  assert.match(errors, /Only the first task is listed/);
  assert.equal(output, `${late}\tListed late\tTo do\t2020-01-02\t\t${project}\n`);
});

test('task list prints an aligned table that fits the terminal, without invisible characters from names', async () => {
  await createTask(`Evil \u202e name with ${'a long tail '.repeat(12)}`, {
    tags: ['ew-tty'],
  });
  const args = ['task', 'list', '--tags', 'ew-tty'];
  const { output } = await ew.run(args, { isInTerminal: true, environment: { NO_COLOR: '1' } });
  const lines = output.trimEnd().split(/\r?\n/);
  assert.match(lines[0] ?? '', /^ID +NAME +STATUS/);
  assert.match(lines[1] ?? '', /Evil name with a long tail.*…/);
  for (const line of lines) assert.ok(line.length <= 100, line);
  const none = await ew.run(['task', 'list', '--tags', 'ew-none'], { isInTerminal: true });
  assert.match(none.output, /No matching tasks/);
  assert.equal(output.includes('\u202e'), false);
});

test('tasks can be moved, timed, commented on, completed, reopened and opened in the browser', async () => {
  const [one, two] = [await createTask('Moved and timed'), await createTask('Only completed')];
  const other = (await ew.callApi('GET', '/projects?scope=all')).data.find(
    ({ id }: { id: number }) => id !== projectId,
  );
  await ew.runJson(['task', 'move', String(one), String(other.id)]);
  assert.equal((await readTask(one)).project.id, other.id);
  await ew.runJson(['task', 'start', String(one)]);
  assert.equal((await readTask(one)).status, 'in_progress');
  assert.equal((await ew.callApi('GET', '/timer/current')).task.id, one);
  assert.equal((await ew.runJson(['time', 'status'])).taskId, one);
  assert.equal((await ew.runJson(['task', 'stop'])).taskId, one);
  assert.equal(await ew.callApi('GET', '/timer/current'), null);
  await ew.runJson(['task', 'comment', String(one), '-'], { input: 'Two\nlines\n' });
  assert.equal((await readTask(one)).comments[0].content, 'Two\nlines');
  await ew.runJson(['task', 'done', String(one), String(two), String(two)]);
  for (const id of [one, two]) assert.equal((await readTask(id)).status, 'completed');
  await ew.runJson(['task', 'reopen', String(two)]);
  assert.equal((await readTask(two)).status, 'todo');
  const opener = join(ew.folder, 'view');
  writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > '${opener}.url'\n`, { mode: 0o755 });
  const { url } = await ew.runJson(['task', 'view', String(one), '--web'], {
    environment: { EW_BROWSER: opener },
  });
  await waitUntil(
    () => existsSync(`${opener}.url`) && readFileSync(`${opener}.url`, 'utf8') === url,
    () => url,
  );
  assert.match(url, new RegExp(`/app/[^/]+/tasks/${one}$`));
});

test('ew takes the task id from the Git branch', async () => {
  const id = await createTask('Named by a branch');
  const cwd = join(ew.folder, 'repository');
  mkdirSync(cwd);
  const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'ignore' });
  git('init');
  git('checkout', '-b', `feature/EW-${id}-sign-in`);
  assert.equal((await ew.runJson(['task', 'view'], { cwd })).id, id);
  await ew.runJson(['task', 'done'], { cwd });
  assert.equal((await readTask(id)).status, 'completed');
  const inside = join(cwd, 'folder');
  mkdirSync(inside);
  assert.equal(
    (await ew.runJson(['time', 'add', '5m', '--at', '2026-03-06T09:00Z'], { cwd: inside })).taskId,
    id,
  );
  git('checkout', '-b', 'without-an-id-123');
  assert.equal((await ew.run(['task', 'view'], { cwd })).code, 2);
});

test('time can be logged and listed', async () => {
  const id = await createTask('Timed by ew');
  const { startTime, endTime } = await ew.runJson([
    'time',
    'add',
    '1h30m',
    String(id),
    '--at',
    '2026-03-04T09:00Z',
  ]);
  assert.deepEqual(
    [startTime, endTime].map(Date.parse),
    ['2026-03-04T09:00Z', '2026-03-04T10:30Z'].map(Date.parse),
  );
  const ids = async (...args: string[]) =>
    (await ew.runJson(['time', 'list', '--task', String(id), ...args])).map(
      (each: { taskId: number }) => each.taskId,
    );
  assert.deepEqual(await ids('--from', '2026-03-04', '--to', '2026-03-04'), [id]);
  assert.deepEqual(await ids('--from', '2026-03-05'), []);
  await ew.runJson(['time', 'add', '45m', String(id), '--at', '2026-03-05T09:00Z']);
  assert.deepEqual(await ids('--limit', '1'), [id]);
  for (const at of ['9', '2026-12-01', 'nine', '2026-02-30T09:00'])
    assert.equal((await ew.run(['time', 'add', '45m', String(id), '--at', at])).code, 2, at);
  // For time entries, `monday` is the most recent Monday, because entries are never in the future.
  const { code, errors } = await ew.run(['time', 'list', '--from', 'monday', '--to', 'today']);
  assert.equal(code, 0, errors);
  assert.equal((await ew.run(['time', 'list', '--from', '2099-01-01'])).code, 2);
});

test('events tail prints events as they happen', async () => {
  const { child, printed } = ew.start([
    ...['events', 'tail', '--json', '--types', 'task.created', '--project', project, '--after'],
    String((await ew.callApi('GET', '/events')).meta.nextAfter),
  ]);
  const id = await createTask('Seen by the tail');
  await waitUntil(
    () => printed.output.includes('\n'),
    () => printed.errors,
  );
  const event = JSON.parse(printed.output.split('\n')[0] ?? '');
  assert.deepEqual([event.type, event.task.id], ['task.created', id]);
  child.kill('SIGINT');
});

test('events tail ends at the next event after its output is closed', async () => {
  const { nextAfter } = (await ew.callApi('GET', '/events')).meta;
  const { child, printed, finished } = ew.start(['events', 'tail', '--json', '--after', String(nextAfter)]);
  await createTask('Read');
  await waitUntil(
    () => printed.output !== '',
    () => printed.errors,
  );
  child.stdout.destroy();
  let hasEnded = false;
  void finished.then(() => {
    hasEnded = true;
  });
  for (let count = 0; !hasEnded && count < 50; count += 1) {
    await createTask('Not read');
    await sleep(100);
  }
  assert.equal((await finished).code, 141);
});

test('an import can be previewed, and imports each task once', async () => {
  const csv = join(ew.folder, 'tasks.csv');
  writeFileSync(csv, 'Id,Name,Status,Due\n1,From a file,In progress,3/4/2027\n2,Also from a file,Done,\n');
  const args = ['import', csv, '--project', project, '--source', 'ew-test', '--date-order', 'mdy'];
  assert.equal((await ew.run(args)).code, 2);
  const preview = await ew.run([...args, '--preview']);
  assert.equal(preview.code, 0, preview.errors);
  assert.match(preview.output, /2 tasks\n$/);
  const count = async () => (await ew.callApi('GET', '/tasks?scope=all&search=from%20a%20file')).meta.total;
  const countFiles = async () => {
    const { data } = await ew.callApi('GET', `/projects/${projectId}/attachments`);
    return data.filter(({ fileName }: { fileName: string }) => fileName === 'tasks.csv').length;
  };
  assert.deepEqual([await count(), await countFiles()], [0, 0]);

  const { child, printed, finished } = ew.start(args, { isInTerminal: true });
  await waitUntil(
    () => /Import 2 tasks\?/.test(printed.output),
    () => printed.output,
  );
  child.stdin.write('n\n');
  assert.equal((await finished).code, 0);
  assert.deepEqual([await count(), await countFiles()], [0, 0]);

  assert.equal((await ew.runJson([...args, '--yes'])).made, 2);
  assert.equal(await count(), 2);
  const [first] = (await ew.callApi('GET', '/tasks?scope=all&search=From%20a%20file&sort=due')).data;
  assert.deepEqual([first.deadline, first.status], ['2027-03-04', 'in_progress']);
  const repeated = await ew.runJson([...args, '--yes']);
  assert.deepEqual([repeated.made, repeated.existing], [0, 2]);
  assert.equal(await count(), 2);
});

test("ew import removes the uploaded file from the project if it can't be imported", async () => {
  const broken = join(ew.folder, 'broken.csv');
  writeFileSync(broken, '');
  writeFileSync(join(ew.folder, 'picture.csv'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]));
  for (const file of [broken, join(ew.folder, 'picture.csv')])
    assert.notEqual((await ew.run(['import', file, '--project', project, '--yes'])).code, 0, file);
  const { data } = await ew.callApi('GET', `/projects/${projectId}/attachments`);
  assert.deepEqual(
    data.filter(({ fileName }: { fileName: string }) => /^(broken|picture)/.test(fileName)),
    [],
  );
});

test('export waits for the zip file and saves it, or prints its link', async () => {
  const path = join(ew.folder, 'workspace.zip');
  const saved = await ew.run(['export', '--output', path, '--no-files']);
  assert.equal(saved.code, 0, saved.errors);
  assert.match(saved.output, /^Exported [\d,]+ records and 0 files\.\nSaved to .*workspace\.zip\.\n$/);
  const bytes = readFileSync(path);
  assert.ok(bytes.includes('manifest.json'));
  const waited = await ew.runJson(['export', '--wait']);
  assert.deepEqual([waited.status, waited.includesFiles], ['completed', true]);
  assert.equal((await fetch(waited.downloadUrl)).status, 200);
  const missing = await ew.run([
    'export',
    '--no-files',
    '--output',
    join(ew.folder, 'missing', 'workspace.zip'),
  ]);
  assert.notEqual(missing.code, 0);
  assert.match(missing.errors, /couldn't be saved/);
  const own = await ew.runJson(['export', '--own', '--wait']);
  assert.deepEqual([own.status, own.contents], ['completed', 'own']);
  const full = await ew.run(['export']);
  assert.match(full.errors, /up to 3 exports/);
  for (const { id } of (await ew.callApi('GET', '/exports')).data)
    await ew.callApi('DELETE', `/exports/${id}`);
  const started = await ew.run(['export']);
  assert.match(started.output, /^Export \d+ started\. /);
});

test('api sends a request with the token, but only to the API of the server that issued the token', async () => {
  const id = await createTask('Changed by api');
  const { code, output } = await ew.run(['api', 'PATCH', `/tasks/${id}`, '--data', '{"priority":"low"}']);
  assert.equal(code, 0);
  assert.equal(JSON.parse(output).priority, 'low');
  assert.equal((await ew.run(['api', 'GET', '/tasks/999999999'])).code, 4);
  for (const path of ['../app', '//example.com/v1/me', '/../mcp'])
    assert.notEqual((await ew.run(['api', 'GET', path])).code, 0, path);
  assert.equal((await ew.run(['api', 'GET', 'tasks', '--data', '{}'])).code, 2);
  assert.equal((await ew.run(['api', 'PATCH', `tasks/${id}`, '--data', '@missing.json'])).code, 1);
});

test('each kind of failure has its own exit code and prints no stack trace', async () => {
  const gone = { EW_URL: 'http://127.0.0.1:9' };
  const failures: readonly (readonly [code: number, args: string[], environment?: Record<string, string>])[] =
    [
      [4, ['task', 'view', '999999999']],
      [4, ['task', 'list', '--assignee', 'Jonsa']],
      [4, ['task', 'add', 'A task', '--project', 'No such project']],
      [2, ['task', 'view', 'twelve']],
      [2, ['task', 'list', '--status', 'unknown']],
      [2, ['task', 'list', '--sort', 'name']],
      [2, ['nonsense']],
      [3, ['me'], { EW_TOKEN: 'ew_wrong' }],
      [5, ['me'], gone],
      [5, ['api', 'GET', 'me'], gone],
      [5, ['sign-in', 'http://127.0.0.1:9'], { EW_URL: '', EW_TOKEN: '' }],
      [1, ['task', 'add', '', '--project', project]],
      [1, ['task', 'done', '1', '--read-only']],
      [0, ['--help']],
      [0, ['--version']],
    ];
  for (const [expected, args, environment = {}] of failures) {
    const { code, errors } = await ew.run(args, { environment });
    assert.equal(code, expected, `ew ${args.join(' ')}: ${errors}`);
    assert.doesNotMatch(errors, /^\s+at /m, args.join(' '));
  }
});

test('a name that matches several projects is rejected with a list of them', async () => {
  const { code, errors } = await ew.run(['task', 'list', '--project', 'e']);
  assert.equal(code, 2);
  assert.match(errors, /"e" matches more than one project: .+ \(\d+\)/);
});

test('projects and people can be listed', async () => {
  const projects = await ew.runJson(['project', 'list', '--search', 'Harbour']);
  assert.deepEqual(
    projects.map(({ name }: { name: string }) => name),
    [project],
  );
  const people = await ew.runJson(['people', 'list', '--search', 'Jonas']);
  assert.deepEqual(
    people.map(({ name }: { name: string }) => name),
    ['Jonas Weber'],
  );
});

test('ew runs on every installed Node version that is 20 or newer', async () => {
  const versions = new Set<string>();
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(directory, 'node');
    if (!existsSync(node)) continue;
    const [major = ''] = execFileSync(node, ['--version'], { encoding: 'utf8' }).slice(1).split('.');
    if (Number(major) < 20 || versions.has(major)) continue;
    versions.add(major);
    const environment = { ...process.env, NODE_OPTIONS: '', EW_URL: server.origin, EW_TOKEN: ew.token };
    const output = execFileSync(node, [ew.file, 'task', 'list', '--json', '--limit', '1'], {
      encoding: 'utf8',
      env: environment,
    });
    assert.equal(JSON.parse(output).length, 1, `Node ${major}`);
  }
  assert.ok(versions.size > 0);
});

test('doctor checks the profiles file, the server, the clock, the version and the account', async () => {
  const checks = await ew.runJson(['doctor']);
  assert.deepEqual(
    checks.map(({ name, isOk }: { name: string; isOk: boolean }) => [name, isOk]),
    ['Profiles', 'Server', 'Clock', 'Version', 'Account'].map((name) => [name, true]),
  );
  assert.equal((await ew.run(['doctor'], { environment: { EW_URL: 'http://127.0.0.1:9' } })).code, 1);
});

test('bash completes commands and options', async () => {
  const { output: script } = await ew.run(['completion', 'bash']);
  const complete = (...words: string[]) =>
    execFileSync(
      'bash',
      [
        '-c',
        `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _ew; echo "\${COMPREPLY[@]}"`,
      ],
      { encoding: 'utf8' },
    ).trim();
  assert.equal(complete('ew', 'ta'), 'task');
  assert.equal(complete('ew', 'task', 'd'), 'done');
  assert.equal(complete('ew', 'task', 'list', '--ov'), '--overdue');
  assert.equal(complete('ew', 'import', 'tasks.csv', '--prev'), '--preview');
  assert.equal(complete('ew', '--profile', 'work', 'task', 'list', '--js'), '--json');
  for (const shell of ['zsh', 'fish']) assert.match((await ew.run(['completion', shell])).output, /task/);
});

test("escaping invisible characters doesn't change the value of the JSON", () => {
  const text = JSON.stringify({ name: 'England 🏴󠁧󠁢󠁥󠁮󠁧󠁿, \u202eright to left, \u009b' });
  const safe = toSafeJson(text);
  assert.deepEqual(JSON.parse(safe), JSON.parse(text));
  assert.doesNotMatch(safe, /[\u202e\u009b]/);
});

test('skill install writes a file that describes the commands to agents', async () => {
  const skills = join(ew.folder, 'skills');
  assert.equal((await ew.run(['skill', 'install', '--folder', skills])).code, 0);
  const text = readFileSync(join(skills, 'edgework', 'SKILL.md'), 'utf8');
  for (const command of ['ew task add', 'ew time list', 'ew events tail', 'ew import'])
    assert.ok(text.includes(`\`${command}`), command);
});

test('every option of every command has been used successfully above, unless it is tested differently', () => {
  const isUsed = (path: readonly string[], flag: string) =>
    ew.succeeded.some((args) => path.every((word, at) => args[at] === word) && args.includes(flag));
  const listUnused = (command: Command, path: readonly string[]): string[] => [
    ...command.options.flatMap(({ long }) =>
      long && !isUsed(path, long) ? [[...path, long].join(' ')] : [],
    ),
    ...command.commands.flatMap((each) => listUnused(each, [...path, each.name()])),
  ];
  // Tested in command-line-sign-in.test.ts, or above in commands that fail or are stopped.
  const elsewhere = [
    '--profile',
    '--read-only',
    'sign-in --with-token',
    'sign-in --scope',
    'events tail --after',
  ];
  const tail = ['--types', '--project'].map((flag) => `events tail ${flag}`);
  assert.deepEqual(
    listUnused(createProgram(''), []).filter((option) => ![...elsewhere, ...tail].includes(option)),
    [],
  );
});
