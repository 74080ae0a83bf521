import { expect, expectTypeOf, it } from 'vitest';
import { firstRow, row, rows } from '../../../src/kernel/sql/database.ts';
import { columns, leftJoined, names, sql, typed } from '../../../src/kernel/sql/sql.ts';
import { users } from '../../../src/schema/directory/accounts.ts';

const u = names(users, 'u');
const other = leftJoined(users, 'o');
const listed = columns({
  id: u.id,
  deleted_at: u.deleted_at,
  other: other.id,
  n: typed<number>(sql`length(${u.name})`),
});

it('the listed columns determine the row type, without changing the SQL', () => {
  const found = rows(sql`SELECT ${listed} FROM ${u}`);
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
  found.push(rows(query));
  // @ts-expect-error the query has no row type
  found.push(firstRow(query));
  // @ts-expect-error the query has no row type
  found.push(row(query));
  // @ts-expect-error a type argument doesn't replace the row type
  found.push(rows<{ id: string }>(query));
  for (const each of found) expect(each.sql).toBe('SELECT u.id AS id FROM users u');
});
