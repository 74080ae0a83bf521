import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from '../../scripts/databases.ts';
import { drawModules } from '../../scripts/layers/draw-modules.ts';
import { findOperationFiles } from '../../scripts/layers/imports.ts';
import {
  buildModuleGraph,
  checkFiles,
  checkModules,
  checkTables,
  findCycles,
} from '../../scripts/layers/modules.ts';
import { checkTableNames } from '../../scripts/layers/table-names.ts';
import { checkWritePath } from '../../scripts/layers/write-path.ts';

const buildSource = (...imports: string[]) =>
  imports.map((path) => `import { thing } from '${path}';`).join('\n');
const buildModules = (arrows: Record<string, string[]>) =>
  new Map(Object.entries(arrows).map(([module, imported]) => [module, new Set(imported)]));

it('the layer check rejects an import cycle between two modules, and lists every import that causes it', () => {
  const sources = new Map([
    ['src/tasks/list.ts', buildSource('../kernel/page.ts', '../comments/present.ts')],
    ['src/comments/present.ts', buildSource('../kernel/page.ts')],
    ['src/comments/write.ts', buildSource('../kernel/page.ts', '../tasks/policy.ts')],
    ['src/tasks/policy.ts', ''],
    ['src/kernel/page.ts', ''],
  ]);
  const [first = '', second = '', ...others] = checkModules(sources);
  assert.match(
    first,
    /^src\/tasks\/list\.ts:2 {2}imports src\/comments\/present\.ts .*tasks → comments → tasks/,
  );
  assert.match(second, /^src\/comments\/write\.ts:2 {2}imports src\/tasks\/policy\.ts /);
  assert.deepEqual(others, []);
});

it('the layer check rejects import cycles across several modules, even if they contain a type-only or dynamic import', () => {
  const sources = new Map([
    ['src/a/a.ts', "import type { B } from '../b/b.ts';"],
    ['src/b/b.ts', "export { c } from '../c/c.ts';"],
    ['src/c/c.ts', "const a = await import('../a/a.ts');"],
  ]);
  assert.equal(checkModules(sources).length, 3);
  assert.match(checkModules(sources).join('\n'), /a → b → c → a/);
});

it('the layer check rejects import cycles between files of a module, unless one of the imports is type-only', () => {
  const sources = new Map([
    ['src/a/page.ts', buildSource('./view.ts')],
    ['src/a/view.ts', "import {\n  type Props,\n  shown,\n} from './page.ts';"],
    ['src/b/page.ts', buildSource('./view.ts')],
    ['src/b/view.ts', "import type { Props } from './page.ts';"],
  ]);
  assert.deepEqual(checkFiles(sources), [
    'src/a/page.ts:1  is in a cycle of files: src/a/page.ts → src/a/view.ts → src/a/page.ts',
  ]);
});

it('the layer check allows imports that form no cycle of modules, and imports between files of a module', () => {
  const sources = new Map([
    ['src/app.ts', buildSource('./tasks/list.ts', './env.ts')],
    ['src/env.ts', buildSource('./kernel/config.ts')],
    ['src/tasks/list.ts', buildSource('./policy.ts', '../kernel/config.ts')],
    ['src/tasks/policy.ts', `// from '../app.ts'\n${buildSource('./list.ts')}`],
    ['src/kernel/config.ts', ''],
  ]);
  assert.deepEqual(checkModules(sources), []);
  assert.deepEqual([...(buildModuleGraph(sources).get('app.ts') ?? [])], ['tasks', 'env.ts']);
});

it('the layer check allows any module to import tables, and tables to import only tables', () => {
  const sources = new Map([
    ['src/visibility/projects.queries.ts', buildSource('../schema/cell/projects.ts')],
    ['src/projects/projects.ts', buildSource('../visibility/projects.queries.ts')],
    ['src/schema/cell/projects.ts', buildSource('./tasks.ts')],
    ['src/schema/cell/tasks.ts', ''],
  ]);
  assert.deepEqual([...checkModules(sources), ...checkTables(sources)], []);
  sources.set('src/schema/cell/tasks.ts', buildSource('../../kernel/clock.ts'));
  assert.match(
    checkTables(sources).join('\n'),
    /^src\/schema\/cell\/tasks\.ts:1 {2}imports src\/kernel\/clock\.ts/,
  );
});

it('the layer check reports one shortest cycle in each group of modules that import each other', () => {
  const knots = { a: ['b'], b: ['a', 'c', 'd'], c: ['a'], d: ['e'], e: ['f'], f: ['d'], g: ['a'] };
  assert.deepEqual(findCycles(buildModules(knots)), [
    ['a', 'b'],
    ['d', 'e', 'f'],
  ]);
});

it('the module graph shows modules in layers, without transitive arrows', () => {
  const picture = drawModules(
    buildModules({ app: ['tasks', 'kernel'], tasks: ['kernel'], email: ['kernel'], kernel: [] }),
  );
  assert.equal(
    picture,
    [
      ' 2  app → tasks',
      ' 1  email → kernel',
      '    tasks → kernel',
      ' 0  kernel',
      '4 modules in 3 layers',
    ].join('\n'),
  );
});

it('the module graph is replaced by a list of problems if modules have an import cycle', (context) => {
  const copy = mkdtempSync(join(tmpdir(), 'layers-'));
  context.after(() => rmSync(copy, { recursive: true }));
  for (const path of ['package.json', 'scripts/layers.ts', 'scripts/layers', 'scripts/databases.ts'])
    cpSync(join(root, path), join(copy, path), { recursive: true });
  for (const folder of ['src/a', 'src/b', 'bench', 'test'])
    mkdirSync(join(copy, folder), { recursive: true });
  writeFileSync(join(copy, 'src/a/a.ts'), buildSource('../b/b.ts'));
  writeFileSync(join(copy, 'src/b/b.ts'), buildSource('../a/a.ts'));
  const runLayerCheck = () =>
    execFileSync(process.execPath, [join(copy, 'scripts/layers.ts'), '--graph'], { stdio: 'pipe' });
  assert.throws(runLayerCheck, (error: { stdout: Buffer; stderr: Buffer }) => {
    assert.match(String(error.stderr), /^src\/a\/a\.ts:1 {2}imports src\/b\/b\.ts and closes a cycle/);
    assert.doesNotMatch(String(error.stderr), /RangeError/);
    assert.equal(String(error.stdout), '');
    return true;
  });
});

it('the layer check finds every file that contains an operation', () => {
  const sources = new Map([
    ['src/attachments/confirm.ts', 'export const confirm = defineOperation(\n  {\n'],
    ['src/tasks/tasks.ts', 'export const getTask = defineOperation({ name })'],
    ['src/kernel/operation.ts', 'export function defineOperation(\n  spec,\n'],
    ['src/tasks/tasks.queries.ts', 'const operations = 1;'],
  ]);
  assert.deepEqual([...findOperationFiles(sources)], ['src/attachments/confirm.ts', 'src/tasks/tasks.ts']);
});

const forbiddenWrites: readonly (readonly [name: string, text: string])[] = [
  ['a separate UPDATE of tasks', 'sql`UPDATE tasks SET archived = 1`'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the string is source code
  ['an UPDATE through the table object', 'sql`UPDATE ${tasks} SET archived = 1`'],
  ['a separate INSERT of events', 'sql`INSERT INTO events (ws) VALUES (1)`'],
  ['a separate INSERT of followers', 'sql`INSERT OR IGNORE INTO followers (task) VALUES (1)`'],
  ['an INSERT into tasks with the helper', 'const head = nameInsertColumns(\n  tasks,\n  "ws",\n);'],
  ['an UPDATE with the query builder', 'build.update(tasks).set({ archived: 1 })'],
  ['an import of a write function', "import { updateTaskActivity } from '../tasks/model/change.queries.ts';"],
];
for (const [name, text] of forbiddenWrites) {
  it(`the layer check rejects ${name} outside the task write path`, () => {
    assert.equal(checkWritePath(new Map([['src/meetings/meetings.queries.ts', text]])).length, 1);
  });
}

it('the layer check rejects table names in SQL text, but allows names that a statement declares itself', () => {
  const table = ['src/schema/cell/tasks.ts', "export const tasks = sqliteTable('tasks', {});"] as const;
  const listProblems = (text: string) =>
    checkTableNames(new Map([table, ['src/tasks/list.queries.ts', text]]));
  assert.deepEqual(listProblems('sql`SELECT 1\n FROM tasks t`'), [
    "src/tasks/list.queries.ts:2  contains the table name tasks; use the table's declaration",
  ]);
  assert.deepEqual(listProblems("const table = sql.raw('tasks');"), [
    "src/tasks/list.queries.ts:1  contains the table name tasks; use the table's declaration",
  ]);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the string is source code
  assert.deepEqual(listProblems('sql`WITH page AS (SELECT 1 FROM ${t}) SELECT 1 FROM page`'), []);
});
