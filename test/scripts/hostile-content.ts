// Creates statements that fill a seeded cell with text that would break an export to SQL.
const LENGTH = 100_000;
const repeatToLength = (piece: string) => piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);

/** Each key says what makes its text hostile. No text ends in the middle of a character. */
export const hostileTexts = {
  quotes: repeatToLength(`'";--`),
  backslashes: repeatToLength('\\'),
  emoji: repeatToLength('🐙'),
  families: repeatToLength('👩‍👩‍👧‍👦x').slice(0, -1),
  nulls: `${repeatToLength('a\0b').slice(0, -2)}\0`,
  'a null first': '\0the rest',
  'only a null': '\0',
  controls: Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join(''),
  'line ends': 'a\r\nb\nc\rd\u2028e\u2029f\u0085g',
  statement: `'); DROP TABLE tasks; -- "$(rm -rf)" \${x} {{y}} %s ?1 :a @b $c`,
  json: '{"a":"\\u0000","b":[1,2e999]}',
  marks: 'tagged t1 i2 r3 h4142 b43',
  replacement: 'a \ufffd that was written as such, and \uffff \ufeff',
  hangul: repeatToLength('한글'),
  digits: '00012345678901234567890.5e10',
  empty: '',
  blank: '   ',
};

export function createHostileStatements(): { sql: string; params: readonly string[] }[] {
  const texts = Object.values(hostileTexts);
  const buildUpdates = (table: string, column: string, key = 'id') =>
    texts.map((text, turn) => ({
      sql: `UPDATE ${table} SET ${column} = ?1 WHERE ${key} IN (SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT 1 OFFSET ${turn})`,
      params: [text],
    }));
  return [
    ...buildUpdates('tasks', 'description'),
    ...buildUpdates('comments', 'content'),
    ...buildUpdates('events', 'changes', 'seq'),
    ...buildUpdates('meetings', 'description'),
    ...buildUpdates('projects', 'description'),
    ...texts.map((text, turn) => ({
      sql: `UPDATE tasks SET name = ?1 || id WHERE id % ${texts.length + 1} = ${turn}`,
      params: [text.slice(0, 200).toWellFormed()],
    })),
    // A column can contain bytes that aren't valid UTF-8, but a string can't.
    ...['eda080', 'ff', 'e282', '80'].map((bytes, turn) => ({
      sql: `UPDATE events SET changes = CAST(x'61${bytes}62' AS TEXT) WHERE seq % 9 = ${turn}`,
      params: [],
    })),
    { sql: `UPDATE events SET changes = x'00ff27' WHERE seq % 9 = 7`, params: [] },
    { sql: 'UPDATE workspaces SET daily_capacity_hours = 0.1 + 0.2', params: [] },
    { sql: "INSERT INTO job_positions (name, position) VALUES ('largest', 9223372036854775807)", params: [] },
    {
      sql: 'INSERT INTO uploads (s3_key, ws, member, file_name, file_type, file_size, reserved, expires_at) VALUES (?1, 1, 1, ?1, ?1, 1, 0, 1)',
      params: [hostileTexts.statement],
    },
    { sql: 'DELETE FROM uploads', params: [] },
    {
      sql: 'INSERT INTO teams (id, ws, name, parent) SELECT 901, no, ?1, NULL FROM workspaces LIMIT 1',
      params: [hostileTexts.quotes],
    },
    {
      sql: 'INSERT INTO teams (id, ws, name, parent) SELECT 900, no, ?1, 901 FROM workspaces LIMIT 1',
      params: [hostileTexts.emoji],
    },
    {
      sql: 'INSERT INTO idempotency_keys (id, request, answer, created_at) VALUES (?1, ?1, ?2, 8000000000000)',
      params: ['of a large answer', repeatToLength('{"\\"": "한"}').repeat(10)],
    },
  ];
}
