import { and, desc, eq, exists, isNull } from 'drizzle-orm';
import { expect, expectTypeOf, it } from 'vitest';
import { type Argument, pickColumns, prepared, query, type RowOf } from '../../../src/kernel/sql/prepared.ts';
import { sql, withType } from '../../../src/kernel/sql/sql.ts';
import { savedFilters } from '../../../src/schema/cell/saved-filters.ts';
import { members } from '../../../src/schema/cell/workspaces.ts';

interface Person {
  workspace: number;
  member: number;
}

const listShared = prepared.rows(({ workspace }: Argument<Person>, limit: Argument<number>) =>
  query
    .select({ ...pickColumns(savedFilters, 'id', 'name'), maker: members.name, ended_at: members.ended_at })
    .from(savedFilters)
    .leftJoin(members, eq(members.no, savedFilters.member))
    .where(and(eq(savedFilters.ws, workspace), eq(savedFilters.is_shared, 1), sql`length(filter) < ${limit}`))
    .orderBy(desc(savedFilters.id)),
);

it("the types of a prepared query's rows and arguments are inferred", () => {
  expectTypeOf(listShared).parameters.toEqualTypeOf<[Person, number]>();
  expectTypeOf<RowOf<typeof listShared>>().toEqualTypeOf<{
    id: number;
    name: string;
    maker: string | null;
    ended_at: number | null;
  }>();
});

it('a prepared query binds only the arguments of a call, and gives every column a unique name', () => {
  const statement = listShared({ workspace: 7, member: 3 }, 100);
  expect(statement.sql).toBe(
    'select "saved_filters"."id", "saved_filters"."name", "members"."name" as "maker", "members"."ended_at" ' +
      'from "saved_filters" left join "members" on "members"."no" = "saved_filters"."member" ' +
      'where ("saved_filters"."ws" = ? and "saved_filters"."is_shared" = 1 and length(filter) < ?) ' +
      'order by "saved_filters"."id" desc',
  );
  expect(statement.params).toEqual([7, 100]);
});

it('a prepared query is built once, when it is first used', () => {
  let builds = 0;
  const endMembership = prepared.write((no: Argument<number>, now: Argument<number>) => {
    builds += 1;
    return query
      .update(members)
      .set({ ended_at: now })
      .where(and(eq(members.no, no), isNull(members.ended_at)));
  });
  expect(builds).toBe(0);
  expect(endMembership(1, 20).params).toEqual([20, 1]);
  expect(endMembership(2, 30).params).toEqual([30, 2]);
  expect(builds).toBe(1);
});

it('a prepared insert writes values, SQL expressions and defaults', () => {
  const insert = prepared.write(
    (person: Argument<Person>, draft: Argument<{ name: string; filter: string }>) =>
      query.insert(savedFilters).values({
        ws: person.workspace,
        member: sql`(SELECT max(no) FROM members)`,
        name: draft.name,
        filter: draft.filter,
        is_shared: 0,
        created_at: 5,
      }),
  );
  expect(insert({ workspace: 7, member: 3 }, { name: "Ada's", filter: '{}' })).toMatchObject({
    sql:
      'insert into "saved_filters" ("id", "ws", "member", "name", "is_shared", "filter", "created_at") ' +
      'values (null, ?, (SELECT max(no) FROM members), ?, 0, ?, 5)',
    params: [7, "Ada's", '{}'],
  });
});

it('a prepared query returns null for a missing row, and throws if the row is required', () => {
  const total = query.select({ n: withType<number>(sql`count(*)`) }).from(members);
  expect(
    prepared
      .firstRow(() => total)()
      .read([]),
  ).toBeNull();
  expect(() =>
    prepared
      .row(() => total)()
      .read([]),
  ).toThrow('a required row was not found');
  expect(
    prepared
      .number(() => total)()
      .read([{ n: 4 }]),
  ).toBe(4);
});

it('a prepared assertion fails unless its condition is true', () => {
  const assertMember = prepared.assertUnchanged((no: Argument<number>) =>
    exists(query.select(pickColumns(members, 'no')).from(members).where(eq(members.no, no))),
  );
  expect(assertMember(3)).toMatchObject({
    sql:
      'SELECT CASE WHEN exists (select "no" from "members" where "members"."no" = ?) ' +
      "THEN 1 ELSE json_extract('{}', 'EW_CONFLICT') END AS ok",
    params: [3],
  });
});

it('a prepared query throws if its builder spreads an argument', () => {
  const insert = prepared.write((draft: Argument<typeof savedFilters.$inferInsert>) =>
    query.insert(savedFilters).values({ ...draft }),
  );
  expect(() => insert({} as never)).toThrow("can't be spread");
});
