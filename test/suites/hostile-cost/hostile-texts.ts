/** Functions that build expensive input for some algorithm. The length is in UTF-16 code units. */
export const hostileTexts: Readonly<Record<string, (length: number) => string>> = {
  'a repeated letter': (length) => 'a'.repeat(length),
  'different characters': (length) =>
    Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join(''),
  'letters in random order': (length) =>
    Array.from(
      { length },
      (_, at) => 'abcdefghijklmnopqrstuvwxyz'[((at * at * 31 + at * 7) >>> 3) % 26],
    ).join(''),
  'marks on one letter': (length) => repeatToLength('a', '\u0301\u0323', length),
  'an attribute that never ends': (length) =>
    `<a href=${' '.repeat(Math.max(0, length - 10))}x>`.slice(0, length),
  'many attributes that never end': (length) => repeatToLength('<a ', 'a ', length),
  'many opening tags': (length) => repeatToLength('', '<p><b>', length),
  'many opening brackets': (length) => repeatToLength('', '<', length),
  'many incomplete tags': (length) => repeatToLength('', '<p <a ', length),
  comments: (length) => repeatToLength('', '<!-- ', length),
  entities: (length) => repeatToLength('', '&amp;&#39;&#x', length),
  blanks: (length) => `${repeatToLength('x', ' \t\n', length - 1)}x`,
  'characters that JSON escapes': (length) => repeatToLength('', '\t"\\', length),
  'letters that are longer in lower case': (length) => repeatToLength('', '\u0130\ufb2c', length),
  pictographs: (length) => repeatToLength('', '\u{1f9f5}', length),
};

function repeatToLength(start: string, piece: string, length: number): string {
  const text = start + piece.repeat(Math.max(0, Math.ceil((length - start.length) / piece.length)));
  const cut = text.slice(0, Math.max(0, length));
  // The API rejects an unpaired surrogate before it processes the text.
  return /[\ud800-\udbff]$/.test(cut) ? `${cut.slice(0, -1)}x` : cut;
}
