import { expect, expectTypeOf, it } from 'vitest';
import { readFirstRow, readRow, readRows } from '../../../src/kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  selectColumns,
  sql,
  withType,
} from '../../../src/kernel/sql/sql.ts';
import { users } from '../../../src/schema/directory/accounts.ts';

const u = aliasTable(users, 'u');
const other = aliasLeftJoinedTable(users, 'o');
const listed = selectColumns({
  id: u.id,
  deleted_at: u.deleted_at,
  other: other.id,
  n: withType<number>(sql`length(${u.name})`),
});

it('the selected columns determine the row type, without changing the SQL', () => {
  const found = readRows(sql`SELECT ${listed} FROM ${u}`);
  expectTypeOf(found.read).returns.toEqualTypeOf<
    { id: string; deleted_at: number | null; other: string | null; n: number }[]
  >();
  expect(found.sql).toBe(
    'SELECT u.id AS id, u.deleted_at AS deleted_at, o.id AS other, length(u.name) AS n FROM users u',
  );
});

it("a statement without a known row type doesn't compile", () => {
  const query = sql`SELECT ${u.id} AS id FROM ${u}`;
  const found: { sql: string }[] = [];
  // @ts-expect-error the query has no row type
  found.push(readRows(query));
  // @ts-expect-error the query has no row type
  found.push(readFirstRow(query));
  // @ts-expect-error the query has no row type
  found.push(readRow(query));
  // @ts-expect-error a type argument doesn't replace the row type
  found.push(readRows<{ id: string }>(query));
  for (const each of found) expect(each.sql).toBe('SELECT u.id AS id FROM users u');
});
