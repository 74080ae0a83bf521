import { crc32 } from 'node:zlib';

const secretPatterns: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{60,})/],
  ['a GitLab token', /\bglpat-[\w-]{20,}/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a Slack token', /\bxox[abeoprs]-[\w-]{20,}/],
  ['a Google API key', /\bAIza[\w-]{35}\b/],
  ['a Google client secret', /\bGOCSPX-[\w-]{28}/],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{20,}/],
  ['a model API key', /\bsk-(?:ant|proj|svcacct)-[\w-]{20,}/],
  ['a signed token', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/],
  [
    'a password in an address',
    // Names that are reserved for examples and tests (RFC 2606) are nobody's.
    /\b[a-z][a-z+.-]*:\/\/[^\s/:@'"`$<>{}]+:[^\s/:@'"`$<>{}]{6,}@(?![^\s/'"`]*(?:\.example|\.test|example\.(?:com|org|net)|localhost|127\.0\.0\.1)\b)[^\s'"`]+/i,
  ],
];
const OWN_TOKEN = /\bew_(?:live|oat)_[0-9A-Za-z]{35}(?![0-9A-Za-z])/g;
const ASSIGNED =
  /\b\w*(?:secret|token|password|passwd|api_?key|credential)\w*['"]?\s*[:=]\s*['"]([\w+/=-]{24,})['"]/gi;
/** Bits a character from which a value is taken for random; words and runs of digits stay below. */
const RANDOM_BITS_MIN = 4.2;

/** Lines that hold a secret, without the secret. */
export function findSecrets(path: string, text: string): string[] {
  if (/(^|\/)(\.dev\.vars|\.env)(\.|$)/.test(path) && !path.endsWith('.example')) {
    return [`${path}: holds secrets by its name; take it out of git`];
  }
  if (path === 'package-lock.json') return [];
  return text.split('\n').flatMap((line, index) => {
    const found = secretPatterns.find(([, pattern]) => pattern.test(line))?.[0] ?? describeOwn(line);
    return found ? [`${path}:${index + 1}  holds ${found}; revoke it, then take it out`] : [];
  });
}

function describeOwn(line: string): string | null {
  // An example is no token: its checksum is wrong, so no deployment would look it up.
  if ([...line.matchAll(OWN_TOKEN)].some(([token]) => isOwnToken(token))) return 'a token of this product';
  if ([...line.matchAll(ASSIGNED)].some(([, value = '']) => isRandom(value)))
    return 'a random value under a secret name';
  return null;
}

/** As src/kernel/tokens.ts makes them: the last six characters are the CRC-32 of the rest, in base62. */
function isOwnToken(token: string): boolean {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let sum = 0;
  for (const character of token.slice(-6)) sum = sum * 62 + alphabet.indexOf(character);
  return sum === crc32(token.slice(0, -6));
}

function isRandom(value: string): boolean {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits >= RANDOM_BITS_MIN && /[A-Z]/.test(value) && /[a-z]/.test(value) && /\d/.test(value);
}
