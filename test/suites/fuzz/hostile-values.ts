import fc from 'fast-check';
import type { Json } from './json.ts';

/** Names of properties that every object has, and names that code often reads. */
export const prototypeNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'toJSON',
  'then',
  'length',
];

const syntaxTexts = [
  "' OR 1=1 --",
  "'); DROP TABLE tasks; --",
  '"; SELECT total_changes()',
  '%',
  '_%_',
  "x' UNION SELECT hash FROM credentials --",
  '?1',
  ':id',
  '@ws',
  '$1',
  '"',
  '""',
  '"a" OR "b"',
  'a NEAR/3 b',
  'name:x',
  '{name description}: x',
  '^x*',
  'NOT x AND (y',
  '-x',
  'x*',
  '*',
  '(((',
  '\\',
  '\\u0000',
  'a\\',
  '$[0]',
  '$.x',
  '[]',
  '{}',
  'null',
  'undefined',
  'NaN',
  'true',
  '../../etc/passwd',
  '..',
  '.',
  '%00',
  '%2e%2e%2f',
  'javascript:alert(1)',
  'http://169.254.169.254/',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<b><i><u>',
  '&#x3c;&lt;&amp;amp;',
  '<!--',
  '<![CDATA[',
  '{{7*7}}',
  '#{7*7}',
  'Bearer x',
  'x\r\nSet-Cookie: a=b',
  'a@b.c',
  '<a@example.com>',
  'FREQ=DAILY',
  'FREQ=SECONDLY;COUNT=1000000',
  'FREQ=DAILY;INTERVAL=0',
  'FREQ=YEARLY;BYDAY=MO;BYMONTHDAY=31',
  'FREQ=MONTHLY;BYMONTHDAY=31;INTERVAL=1000000',
  'RRULE:FREQ=DAILY\nEXDATE:1',
  '9'.repeat(400),
];

const unicodeTexts = [
  '',
  ' ',
  '\t\r\n',
  '\u0000',
  'a\u0000b',
  '\u0001\u0000\u0001',
  '\u0001',
  '\u001b[31m',
  '\u007f\u0085',
  '\u00a0\u2003\u3000',
  '\u200b\u200d\ufeff',
  '\ufeffname',
  '\u202eevil\u202c',
  '\u2066\u2069',
  'ש\u05c1לום',
  'مرحبا',
  'e\u0301 é',
  `z${'\u0335'.repeat(300)}`,
  'İIıi',
  'ß ẞ ﬀ ǅ',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '\u{1f600}'.repeat(60),
  '\u{10ffff}',
  '\ufffe\uffff',
  '\ufffd',
  '\ud800',
  'x\udc00y',
  '\udc00\ud800',
  'a\ud83d',
  '\u2028\u2029',
  '𝟙𝟚𝟛',
  '１２',
  '\u212a',
];

const dateTexts = [
  '0000-00-00',
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '9999-99-99',
  '2026-02-29',
  '2024-02-29',
  '2026-13-01',
  '+010000-01-01',
  '-000001-12-31',
  '2026-1-1',
  '2026-01-01T00:00:00Z',
  '24:00',
  '23:60',
  '00:00',
];

const longTexts = [201, 501, 1001, 2001, 10_001, 20_001, 100_001].map((length) => 'x'.repeat(length));

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...syntaxTexts, ...prototypeNames) },
  { weight: 5, arbitrary: fc.constantFrom(...unicodeTexts) },
  { weight: 2, arbitrary: fc.constantFrom(...dateTexts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom(...'"\'%_*^\\-:()\u0000\u0001aİ'), maxLength: 12 }),
  },
  { weight: 1, arbitrary: fc.constantFrom(...longTexts) },
);

/** Numbers in every notation of JSON. Some exceed the range or precision of JavaScript's numbers. */
const numerals = [
  '0',
  '-0',
  '-1',
  '1.5',
  '1.0',
  '1e2',
  '1E400',
  '-1e400',
  '1e-400',
  '2147483648',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '123456789012345678901234567890',
  '0.1e-7',
];

/** Literals that a strict JSON parser rejects. */
const brokenLiterals = [
  '01',
  '+1',
  '.5',
  '1.',
  'NaN',
  'Infinity',
  '0x10',
  "'a'",
  'undefined',
  '"\\x"',
  '"\\ud8"',
  '"\n"',
];

const hostileNumber: fc.Arbitrary<Json> = fc.constantFrom(...numerals).map((raw) => ({ raw }));

function buildNested(depth: number, open: string, close: string): Json {
  return { raw: open.repeat(depth) + (open.endsWith(':') ? '1' : '') + close.repeat(depth) };
}

const deepValue: fc.Arbitrary<Json> = fc
  .record({ depth: fc.constantFrom(2, 50, 1000, 20_000), isObject: fc.boolean() })
  .map(({ depth, isObject }) => (isObject ? buildNested(depth, '{"a":', '}') : buildNested(depth, '[', ']')));

const strangeObject: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  { members: [] },
  { members: [['__proto__', { members: [['id', 1]] }]] },
  { members: [['constructor', { members: [['prototype', { members: [['admin', true]] }]] }]] },
  {
    members: [
      ['toString', 'x'],
      ['valueOf', null],
    ],
  },
  { members: [['$gt', '']] },
  [],
  [[]],
  [null],
  Array.from({ length: 600 }, () => 1),
  Array.from({ length: 60 }, (_, index) => `usr_${index}`),
);

export const hostileValue: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 4, arbitrary: hostileNumber },
  { weight: 3, arbitrary: fc.constantFrom<Json>(null, true, false) },
  { weight: 3, arbitrary: strangeObject },
  { weight: 1, arbitrary: deepValue },
  { weight: 1, arbitrary: fc.constantFrom(...brokenLiterals).map((raw): Json => ({ raw })) },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 4 }) },
);
