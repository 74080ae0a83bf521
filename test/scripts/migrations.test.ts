import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  checkMigrations,
  computeChecksum,
  readApplied,
  readMigrations,
} from '../../scripts/migrations/files.ts';

const PATH = 'migrations/cell/0001_first.sql';
const findProblems = (text: string, path = PATH) => checkMigrations([{ path, text }]);
const createMigrations = (...names: string[]) =>
  names.map((name) => ({ path: `migrations/cell/${name}`, text: '' }));

it("the migration check accepts the project's migrations", () => {
  assert.deepEqual(checkMigrations(readMigrations(), readApplied()), []);
});

const violations: readonly (readonly [name: string, text: string, reason: RegExp])[] = [
  ['CR line breaks', 'CREATE TABLE a (id INTEGER PRIMARY KEY);\r\n', /CR line breaks/],
  ['an apostrophe in a comment', "-- It's a table.\nCREATE TABLE a (id INTEGER);", /:1 {2}has an apostrophe/],
  [
    'an apostrophe in a comment after SQL',
    "CREATE TABLE a (\n  id INTEGER -- the row's id\n);",
    /:2 {2}has an apostrophe/,
  ],
  ['a block comment', '/* one; two */ CREATE TABLE a (id INTEGER);', /block comment/],
  [
    'a trigger on several lines',
    'CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  UPDATE a SET n = 1;\nEND;',
    /:1 {2}a trigger must be on one line/,
  ],
  [
    'a trigger in lower case',
    'create trigger t after insert on a begin update a set n = 1; end;',
    /upper-case BEGIN/,
  ],
  [
    'a CASE inside a trigger',
    'CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET n = CASE WHEN 1 THEN 2 END; END;',
    /WHEN instead of CASE/,
  ],
  ['a dropped table', 'CREATE TABLE b (id INTEGER);\n\nDROP TABLE a;', /:3 {2}dropping a table/],
  ['a table dropped after another statement', 'SELECT 1; drop table if exists a;', /dropping a table/],
  ['a table dropped across two lines', 'DROP\n  TABLE a;', /dropping a table/],
  ['a rebuilt table', 'ALTER TABLE a_new RENAME TO a;', /half of rebuilding/],
  ['a renamed column', 'ALTER TABLE a RENAME COLUMN b TO c;', /still reads this column/],
  ['a dropped column', 'ALTER TABLE a DROP COLUMN b;', /still reads this column/],
  ['a pragma that disables foreign keys', 'PRAGMA foreign_keys=OFF;', /rebuild a table/],
  ['a pragma that defers foreign keys', 'PRAGMA defer_foreign_keys = on;', /rebuild a table/],
  ['an explicit transaction', 'BEGIN TRANSACTION;\nSELECT 1;\nCOMMIT;', /already one transaction/],
  ['a NOT NULL column without a default', 'ALTER TABLE a ADD COLUMN n INTEGER NOT NULL;', /needs a DEFAULT/],
  [
    'a column with a computed default',
    'ALTER TABLE a ADD COLUMN at TEXT DEFAULT CURRENT_TIMESTAMP;',
    /use a constant/,
  ],
  ['a unique column', 'ALTER TABLE a ADD COLUMN n INTEGER UNIQUE;', /add an index/],
  [
    'a statement that is too long',
    `INSERT INTO a VALUES ('${'x'.repeat(100_001)}');`,
    /more than 100000 bytes/,
  ],
];

for (const [name, text, reason] of violations) {
  it(`the migration check rejects ${name}`, () => {
    const found = findProblems(text);
    assert.ok(
      found.some((problem) => problem.startsWith(PATH) && reason.test(problem)),
      `expected ${reason} among ${JSON.stringify(found)}`,
    );
  });
}

const allowed: readonly (readonly [name: string, text: string])[] = [
  [
    'a trigger on one line',
    'CREATE TRIGGER t AFTER UPDATE OF n ON a WHEN NEW.v = OLD.v BEGIN UPDATE a SET v = 1; END;',
  ],
  ['dangerous SQL inside a string', "INSERT INTO a VALUES ('DROP TABLE a; PRAGMA x', 'it''s -- fine');"],
  ['dangerous SQL inside a comment', '-- DROP TABLE a; PRAGMA foreign_keys = OFF;\nSELECT 1;'],
  ['a column with a constant default', "ALTER TABLE a ADD COLUMN n TEXT NOT NULL DEFAULT '';"],
  ['a generated column', 'ALTER TABLE a ADD COLUMN st INTEGER NOT NULL GENERATED ALWAYS AS (b * 5) VIRTUAL;'],
  ['a CASE outside of triggers', 'UPDATE a SET n = CASE WHEN b THEN 1 ELSE 2 END;'],
];

for (const [name, text] of allowed) {
  it(`the migration check accepts ${name}`, () => assert.deepEqual(findProblems(text), []));
}

it('the migration check requires consecutive file numbers from 0001 in each folder', () => {
  assert.deepEqual(checkMigrations(createMigrations('0001_a.sql', '0002_b.sql')), []);
  assert.match(
    checkMigrations(createMigrations('0001_a.sql', '0003_b.sql')).join(),
    /0003 but 0002 comes next/,
  );
  assert.match(
    checkMigrations(createMigrations('0001_a.sql', '0001_b.sql')).join(),
    /0001 but 0002 comes next/,
  );
  assert.match(checkMigrations(createMigrations('0002_a.sql')).join(), /0002 but 0001 comes next/);
  assert.match(checkMigrations(createMigrations('1_a.sql')).join(), /not named like 0001_/);
  assert.match(checkMigrations(createMigrations('0001_a.sql', 'notes.txt')).join(), /not named like 0002_/);
});

it('the migration check rejects changed or missing applied migrations, and accepts unapplied drafts', () => {
  const file = { path: PATH, text: 'CREATE TABLE a (id INTEGER PRIMARY KEY);\n' };
  const applied = { [PATH]: computeChecksum(file.text) };
  const draft = { path: 'migrations/cell/0002_draft.sql', text: 'SELECT 1;' };
  assert.deepEqual(checkMigrations([file, draft], applied), []);
  const changed = checkMigrations([{ ...file, text: `${file.text}-- one more word\n` }], applied);
  assert.match(changed.join(), /has changed since/);
  assert.match(checkMigrations([], applied).join(), /is missing/);
});
