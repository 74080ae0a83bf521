export async function runWithoutDeleteTriggers(
  db: D1Database,
  statements: D1PreparedStatement[],
): Promise<unknown> {
  const { results } = await db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%BEFORE DELETE%'")
    .all<{ name: string; sql: string }>();
  return db.batch([
    db.prepare('PRAGMA defer_foreign_keys = on'),
    ...results.map(({ name }) => db.prepare(`DROP TRIGGER ${name}`)),
    ...statements,
    ...results.map(({ sql }) => db.prepare(sql)),
  ]);
}
