import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { unstable_readConfig as readConfig } from 'wrangler';
import { parse } from 'yaml';
import { root } from '../../scripts/databases.ts';
import { blobColumns, doubleColumns, pointKinds } from '../../src/kernel/telemetry/data-points.ts';

interface Query {
  readonly refId: string;
  readonly query: string;
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { x: number; y: number; w: number; h: number };
  readonly datasource: { uid: string };
  readonly targets: readonly (Query & { datasource: { uid: string } })[];
}
interface Rule {
  readonly uid: string;
  readonly title: string;
  readonly condition: string;
  readonly annotations: { summary: string; runbook: string };
  readonly data: readonly {
    refId: string;
    datasourceUid: string;
    model: { refId: string; query?: string; expression?: string };
  }[];
}

const readText = (path: string) => readFileSync(join(root, path), 'utf8');
const dashboard: { panels: readonly Panel[] } = JSON.parse(readText('docs/observability/dashboard.json'));
const alerts: { groups: readonly { rules: readonly Rule[] }[] } = parse(
  readText('docs/observability/alerts.yaml'),
);
const sources: { datasources: readonly { uid: string; type: string }[] } = parse(
  readText('docs/observability/datasource.yaml'),
);
const rules = alerts.groups.flatMap((group) => group.rules);
const queries = [
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ query }) => [title, query] as const)),
  ...rules.flatMap(({ title, data }) =>
    data.flatMap(({ model: { query } }) => (query === undefined ? [] : [[title, query] as const])),
  ),
];

const code = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => readText(join('src', path)))
  .join('\n');
const loggedErrors = new Set(
  [...code.matchAll(/log\(\s*'error',[^;]*?;|afterResponse\('[\w.]+'/g)].flatMap(([call]) =>
    [...call.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, event]) => event),
  ),
);

const isInCode = (word: string) => new RegExp(`(^|[^\\w/])${word}(?![\\w/])`, 'm').test(code);

const columns = new Map<string, string>([
  ...blobColumns.map((name, at) => [`blob${at + 1}`, name] as const),
  ...doubleColumns.map((name, at) => [`double${at + 1}`, name] as const),
]);
const functions = new Set(['sum', 'max', 'quantileExactWeighted']);

it('every metrics query reads only columns that the worker writes, and uses their correct names', () => {
  assert.ok(queries.length > 25);
  const { analytics_engine_datasets: datasets = [] } = readConfig(
    { config: join(root, 'wrangler.toml') },
    { hideWarnings: true },
  ) as { analytics_engine_datasets?: { dataset: string }[] };
  for (const [title, query] of queries) {
    const [, dataset] = /\bFROM (\w+)/.exec(query) ?? [];
    assert.equal(dataset, datasets[0]?.dataset, title);
    for (const [column] of query.matchAll(/\b(?:blob|double|index)\d+\b/g))
      assert.ok(columns.has(column), `${title}: ${column} is never written`);
    for (const [, column = '', alias] of query.matchAll(/\b((?:blob|double)\d+) AS (\w+)/g))
      assert.equal(alias, columns.get(column), `${title}: ${column} is ${columns.get(column)}`);
    for (const [, name = ''] of query.matchAll(/\b(\w+)\(/g))
      assert.ok(functions.has(name), `${title}: is ${name} a function of Analytics Engine?`);
    // Analytics Engine samples frequent data points, so a row can represent several of them.
    if (/sum\(/.test(query)) assert.match(query, /sum\(_sample_interval/, title);
  }
});

it('every metrics query filters by values that the worker writes', () => {
  const findColumn = (name: string) => [...columns].find(([, known]) => known === name)?.[0];
  const listLiterals = (query: string, name: string) =>
    [...query.matchAll(new RegExp(`${findColumn(name)} = '([^']*)'`, 'g'))].map(([, value = '']) => value);
  assert.ok(loggedErrors.has('cron.failed') && loggedErrors.size > 30);
  for (const [title, query] of queries) {
    const [kind = '', ...others] = listLiterals(query, 'kind');
    assert.deepEqual(others, [], title);
    assert.ok((pointKinds as readonly string[]).includes(kind), `${title}: ${kind}`);
    for (const value of [...listLiterals(query, 'name'), ...listLiterals(query, 'outcome')]) {
      if (kind === 'error') assert.ok(loggedErrors.has(value), `${title}: ${value} is never logged`);
      else assert.ok(isInCode(value.replace('GET ', '')), `${title}: ${value} is never written`);
    }
  }
});

it('dashboard panels and alert rules use the data source, and no panels overlap', () => {
  const [source] = sources.datasources;
  const used = [
    ...dashboard.panels.flatMap(({ datasource, targets }) => [
      datasource,
      ...targets.map((each) => each.datasource),
    ]),
    ...rules.flatMap(({ data }) =>
      data
        .filter(({ datasourceUid }) => datasourceUid !== '__expr__')
        .map(({ datasourceUid: uid }) => ({ uid })),
    ),
  ];
  assert.deepEqual([...new Set(used.map(({ uid }) => uid))], [source?.uid]);
  const places = dashboard.panels.map(({ gridPos: { x, y, w, h } }) => {
    assert.ok(x + w <= 24);
    return [x, y, x + w, y + h] as const;
  });
  for (const [at, [x, y, right, bottom]] of places.entries())
    for (const [left, top, end, last] of places.slice(at + 1))
      assert.ok(right <= left || end <= x || bottom <= top || last <= y, dashboard.panels[at]?.title);
  assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
});

it('every alert rule has a condition that uses its queries, and a link to instructions', () => {
  const operations = readText('docs/operations.md');
  const anchors = [...operations.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  );
  assert.equal(new Set(rules.map(({ uid }) => uid)).size, rules.length);
  for (const { title, condition, data, annotations } of rules) {
    const ids = data.map(({ refId, model }) => {
      assert.equal(refId, model.refId, title);
      return refId;
    });
    assert.equal(condition, ids.at(-1), title);
    for (const { refId, model } of data)
      for (const [input] of (model.expression ?? '').matchAll(/\b[A-Z]\b/g))
        assert.ok(ids.indexOf(input) < ids.indexOf(refId), `${title}: ${refId} needs ${input}`);
    const [, anchor = ''] = annotations.runbook.split('docs/operations.md#');
    assert.ok(anchors.includes(anchor), `${title}: ${annotations.runbook}`);
    for (const [, label = ''] of annotations.summary.matchAll(/\$labels\.(\w+)/g))
      assert.match(data[0]?.model.query ?? '', new RegExp(` AS ${label}\\b`), title);
  }
});
