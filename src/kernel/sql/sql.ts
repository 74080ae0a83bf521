import {
  Column,
  sql as drizzle,
  type GetColumnData,
  getTableColumns,
  getTableName,
  SQL,
  StringChunk,
  Table,
} from 'drizzle-orm';

/*
 * Creates the same SQL objects as Drizzle's `sql` tag. Tables and columns come from `src/schema/`, so wrong names don't
 * compile. Names become text immediately, which makes `compileSql` fast.
 */

export { SQL, type Table } from 'drizzle-orm';

/** SQL without parameters, such as a column name. `T` is the type of its values. */
class SqlText<T = unknown> extends SQL<T> {
  readonly string: string;

  constructor(string: string) {
    super([new StringChunk(string)]);
    this.string = string;
  }

  override toString(): string {
    return this.string;
  }
}

type ColumnsOf<T extends Table> = T['_']['columns'];
export type ColumnNameOf<T extends Table> = keyof ColumnsOf<T> & string;

export type AliasedTable<T extends Table, Missing = never> = SQL & {
  readonly [K in ColumnNameOf<T>]: SQL<GetColumnData<ColumnsOf<T>[K]> | Missing>;
};

export function aliasTable<T extends Table>(table: T, alias: string): AliasedTable<T> {
  const columns = Object.keys(getTableColumns(table)).map((name) => [name, new SqlText(`${alias}.${name}`)]);
  return Object.assign(new SqlText(`${getTableName(table)} ${alias}`), Object.fromEntries(columns));
}

export function aliasLeftJoinedTable<T extends Table>(table: T, alias: string): AliasedTable<T, null> {
  return aliasTable(table, alias);
}

export function nameInsertColumns<T extends Table>(table: T, ...columns: readonly ColumnNameOf<T>[]): SQL {
  return sql`${table} (${joinColumnNames(table, ...columns)})`;
}

export function joinColumnNames<T extends Table>(_table: T, ...columns: readonly ColumnNameOf<T>[]): SQL {
  return new SqlText(columns.join(', '));
}

declare const ROW: unique symbol;
export type Columns<R> = SQL & { readonly [ROW]: R };
export type Row<C> = C extends Columns<infer R> ? R : never;

type ValueOf<V> = V extends SQL<infer T> ? T : V extends Column ? GetColumnData<V> : never;

export function selectColumns<const C extends Record<string, SQL | Column>>(
  selected: C,
): Columns<{ -readonly [K in keyof C]: ValueOf<C[K]> }> {
  const listed = Object.entries(selected).map(([key, value]) =>
    value instanceof Column && value.name === key ? sql`${value}` : sql`${value} AS ${new SqlText(key)}`,
  );
  return sql.join(listed, sql`, `) as never;
}

export function withType<T>(expression: SQL): SQL<T> {
  return expression as SQL<T>;
}

export function selectEveryColumn<T extends Table>(_table: T, alias = ''): Columns<T['$inferSelect']> {
  return new SqlText(alias === '' ? '*' : `${alias}.*`) as never;
}

/** Gives an outer SELECT, such as the one after a WITH, the row type of an inner SELECT. */
export function withRowType<R>(select: SQL<R>): Columns<R> {
  return select as never;
}

/** Tables and columns without an alias become their bare names. Other values become text or parameters. */
type SqlPiece = SQL | Table | Column | string | number | null;

type RowOf<Pieces extends readonly SqlPiece[]> = MergedRow<
  { [K in keyof Pieces]: Pieces[K] extends Columns<infer R> ? (row: R) => void : never }[number]
>;
type MergedRow<U> = [U] extends [never] ? unknown : [U] extends [(row: infer R) => void] ? R : never;

export function sql<const Pieces extends readonly SqlPiece[]>(
  strings: TemplateStringsArray,
  ...pieces: Pieces
): SQL<RowOf<Pieces>> {
  const chunks: unknown[] = [];
  let text = strings[0] as string;
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as SqlPiece;
    const name = toSqlText(piece);
    if (name === null) {
      chunks.push(new StringChunk(text), piece);
      text = '';
    } else {
      text += name;
    }
    text += strings[index + 1];
  }
  if (chunks.length === 0) return new SqlText(text);
  chunks.push(new StringChunk(text));
  return drizzle.fromList(chunks as SQL[]) as SQL<RowOf<Pieces>>;
}

function toSqlText(piece: SqlPiece): string | null {
  if (piece === null || typeof piece !== 'object') return null;
  if (piece instanceof SqlText) return piece.string;
  if (piece instanceof Column) return piece.name;
  return piece instanceof Table ? getTableName(piece) : null;
}

/** Text of at least this length is sent only once, even if a statement uses it several times. */
const SENT_ONCE_CHARACTERS_MIN = 1_000;

const isSentOnce = (value: unknown) => typeof value === 'string' && value.length >= SENT_ONCE_CHARACTERS_MIN;

/** D1's limit per statement. */
const PARAMETERS_MAX = 100;

export function compileSql(query: SQL): { sql: string; params: unknown[] } {
  const params: unknown[] = [];
  const text = compileChunks(query, params, isSentOnce);
  if (params.length <= PARAMETERS_MAX) return { sql: text, params };
  const distinct: unknown[] = [];
  return { sql: compileChunks(query, distinct, () => true), params: distinct };
}

function compileChunks(
  { queryChunks }: SQL,
  params: unknown[],
  isShared: (value: unknown) => boolean,
): string {
  let text = '';
  for (const chunk of queryChunks as unknown[]) {
    if (chunk instanceof StringChunk) {
      text += chunk.value.join('');
    } else if (chunk instanceof SQL) {
      text += compileChunks(chunk, params, isShared);
    } else if (typeof chunk === 'object' && chunk !== null) {
      throw new Error(
        "a statement built with Drizzle's sql tag contains a table, a column or a list; use the tag in src/kernel/sql/sql.ts",
      );
    } else if (isShared(chunk) && params.includes(chunk)) {
      text += `?${params.indexOf(chunk) + 1}`;
    } else {
      text += '?';
      params.push(chunk);
    }
  }
  return text;
}

/** Use this for SQL that the schema doesn't declare. Never pass user input. */
sql.raw = (text: string): SQL => new SqlText(text);

sql.join = (pieces: readonly SQL[], between: SQL = new SqlText('')): SQL => {
  if (!pieces.every((piece) => piece instanceof SqlText)) return drizzle.join([...pieces], between);
  return new SqlText(pieces.join(String(between)));
};
