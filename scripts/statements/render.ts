// Renders the pages of docs/statements: a file per top-level folder, a heading per source, and each statement once.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../databases.ts';
import { formatStatement, toSingleLine } from './format.ts';
import type { SentStatement } from './sent-statement.ts';

const ROUTE_PATTERN = /\bdefineRoute\(\s*'(\w+)',\s*'([^']+)'/g;
const SUMMARY_CHARACTERS = 90;

/**
 * The areas of sources other than routes. These areas come last, because most of their statements already appear
 * under a route.
 */
const others: readonly (readonly [start: RegExp, area: string])[] = [
  [/^\w+ \/api\/oauth\//, 'oauth'],
  [/^object WorkspaceHub/, 'events'],
  [/^object UploadSession/, 'files'],
  [/^tool /, 'mcp'],
  [/^job /, 'upkeep'],
  [/^object DatabaseKeeper/, 'upkeep'],
  [/^/, 'web'],
];

export function renderStatements(sent: readonly SentStatement[]): ReadonlyMap<string, string> {
  const getArea = createAreaFinder();
  const sources = Map.groupBy(sent, ({ source }) => source);
  const ordered = [...sources.keys()].sort(
    (one, other) =>
      rank(getArea(one)) - rank(getArea(other)) || compareTexts(getSortKey(one), getSortKey(other)),
  );
  const places = new Map<string, string>();
  const pages = new Map<string, string[]>();
  for (const source of ordered) {
    const file = `${getArea(source)}.md`;
    const page = pages.get(file) ?? [renderHeader(getArea(source))];
    pages.set(file, page);
    page.push(`## ${source}\n`);
    const statements = sources.get(source) ?? [];
    // Sorts the statements, because Durable Objects send them in any order.
    if (source.startsWith('object ')) statements.sort((one, other) => compareTexts(one.sql, other.sql));
    for (const each of statements) {
      const id = createHash('sha256').update(toSingleLine(each.sql)).digest('hex').slice(0, 8);
      const known = places.get(id);
      page.push(
        known ? renderLink(each, `${known === file ? '' : known}#${id}`) : renderFullStatement(each, id),
      );
      if (!known) places.set(id, file);
    }
  }
  return new Map([...pages].sort().map(([file, parts]) => [file, parts.join('\n')]));

  function rank(area: string): number {
    return area === 'tasks' ? -2 : others.findIndex(([, other]) => other === area);
  }
}

function renderHeader(area: string): string {
  return `# Statements: ${area}

\`npm run statements\` writes this file. Each statement is shown once, with its query plan and the rows it read and wrote
in the demo. Later occurrences link to it.
`;
}

function renderFullStatement({ sql, plan, rows }: SentStatement, id: string): string {
  return `### ${id}

\`\`\`sql
${formatStatement(sql)}
\`\`\`

\`\`\`
${plan.trimEnd()}
\`\`\`

${rows ? `Rows read: ${rows.read}, written: ${rows.written}` : 'Its batch was rolled back.'}
`;
}

function renderLink({ sql }: SentStatement, target: string): string {
  const summary = toSingleLine(sql);
  const isLong = summary.length > SUMMARY_CHARACTERS;
  return `[${target.slice(-8)}](${target}) \`${summary.slice(0, SUMMARY_CHARACTERS)}${isLong ? '…' : ''}\`\n`;
}

/** Finds each source's top-level folder. A route belongs to the folder that declares it. */
function createAreaFinder(): (source: string) => string {
  const areas = new Map<string, string>();
  for (const path of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.routes.ts')) continue;
    const [area = ''] = path.split(/[\\/]/);
    const text = readFileSync(join(root, 'src', path), 'utf8');
    for (const [, method, address] of text.matchAll(ROUTE_PATTERN))
      areas.set(`${method} /v1${address}`, area);
  }
  return (source) => areas.get(source) ?? others.find(([start]) => start.test(source))?.[1] ?? '';
}

function getSortKey(source: string): string {
  const [method = '', ...path] = source.split(' ');
  return `${path.join(' ')} ${method}`;
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
