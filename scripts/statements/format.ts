const COLUMNS_MAX = 120;
/** Longer runs of expressions that differ only in a number are abridged. */
const SIMILAR_ITEMS_MAX = 4;
const INDENT = 2;
const CLAUSE_START_PATTERN =
  /^(?:insert into|delete from|select|from|where|group by|having|order by|limit|union all|union|values|returning|on conflict|set|(?:cross |left |inner )?join|and)$/i;
const SELECT_START_PATTERN = /^(?:select|values)$/i;
const PIECE_PATTERN = new RegExp(
  `('(?:[^']|'')*'|[()]|\\b(?:${CLAUSE_START_PATTERN.source.slice(4, -2)})\\b)`,
  'i',
);

export function toSingleLine(sql: string): string {
  return sql.replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/ \)/g, ')').trim();
}

/** Starts each SELECT clause on a new line, indented by the SELECT's depth. */
export function formatStatement(sql: string): string {
  const pieces = abridgeColumns(toSingleLine(sql)).split(PIECE_PATTERN);
  const lines = [''];
  /** For each open parenthesis, the indentation outside it, and whether it contains clauses. */
  const open = [{ outside: -INDENT, hasClauses: true }];
  const append = (text: string) => {
    lines.push(`${lines.pop()}${text}`);
  };
  for (const [index, piece] of pieces.entries()) {
    const { outside, hasClauses } = open.at(-1) as (typeof open)[number];
    const isClause = index % 2 === 1 && hasClauses && CLAUSE_START_PATTERN.test(piece);
    if (piece === ')') {
      open.pop();
      if (hasClauses) lines.push(' '.repeat(outside));
    } else if (isClause && lines.at(-1)?.trim() !== '') {
      lines.push(' '.repeat(outside + INDENT * (/^and$/i.test(piece) ? 2 : 1)));
    }
    append(piece);
    if (piece !== '(') continue;
    const isSelect = pieces[index + 1] === '' && SELECT_START_PATTERN.test(pieces[index + 2] ?? '');
    const indent = (lines.at(-1) ?? '').search(/\S/);
    open.push({ outside: indent, hasClauses: isSelect });
    if (isSelect) lines.push(' '.repeat(indent + INDENT));
  }
  return lines.flatMap((line) => wrapLine(line.trimEnd())).join('\n');
}

/** Abridges numbered columns, such as those of counters: `bucket0, …, bucket29`. */
function abridgeColumns(sql: string): string {
  const levels: string[][] = [['']];
  for (const piece of sql.split(/('(?:[^']|'')*'|[(),])/)) {
    const level = levels.at(-1) as string[];
    if (piece === '(') levels.push(['']);
    else if (piece === ',') level.push('');
    else if (piece !== ')') level[level.length - 1] += piece;
    else {
      levels.pop();
      const outer = levels.at(-1) as string[];
      outer[outer.length - 1] += `(${abridgeItems(level)})`;
    }
  }
  return abridgeItems(levels[0] ?? []);
}

function abridgeItems(items: readonly string[]): string {
  const toPattern = (item: string) => item.replace(/\d+/g, '#');
  const kept: string[] = [];
  for (let start = 0; start < items.length; ) {
    const first = items[start] as string;
    const kind = toPattern(first);
    let end = start + 1;
    while (end < items.length && toPattern(items[end] as string) === kind) end += 1;
    const run = items.slice(start, end);
    const isLong = run.length > SIMILAR_ITEMS_MAX && kind !== first;
    kept.push(...(isLong ? [first, ' …', run.at(-1) as string] : run));
    start = end;
  }
  return kept.join(',');
}

function wrapLine(line: string, isContinued = false): string[] {
  if (line.length <= COLUMNS_MAX) return [line];
  const indent = ' '.repeat(line.search(/\S/) + (isContinued ? 0 : 2 * INDENT));
  const comma = line.lastIndexOf(', ', COLUMNS_MAX) + 1;
  const at = comma > indent.length + COLUMNS_MAX / 2 ? comma : line.lastIndexOf(' ', COLUMNS_MAX);
  if (at <= indent.length) return [line];
  return [line.slice(0, at), ...wrapLine(indent + line.slice(at + 1), true)];
}
