// What is installed and what is committed: exact versions from one lock file, licences, secrets, known advisories.
// All of it works offline; the registry is asked for advisories where it answers.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { root } from './databases.mjs';

const REGISTRY_MS_MAX = 20_000;
const FILE_BYTES_MAX = 2_000_000;

/** Asks nothing of whoever ships the worker but to keep a notice. */
const shippedLicences = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'Unlicense',
  'BlueOak-1.0.0',
]);
/** Tools on the developer's machine, of which nothing is passed on. */
const toolLicences = new Set([
  ...shippedLicences,
  'CC0-1.0',
  'MPL-2.0',
  'LGPL-3.0-or-later',
  'Python-2.0',
  'CC-BY-4.0',
]);

const secretPatterns = [
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

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) main();

function main() {
  const lock = readJson('package-lock.json');
  const licences = findLicenceProblems(lock.packages, installedLicence);
  const files = listFiles();
  const problems = [
    ...findLockProblems(readJson('package.json'), lock),
    ...licences,
    ...files.flatMap(({ path, text }) => findSecrets(path, text)),
  ];
  console.log(
    `${Object.keys(lock.packages).length - 1} locked packages and ${files.length} files looked through`,
  );
  problems.push(...findAdvisories());
  if (problems.length === 0) return;
  console.error(problems.join('\n'));
  process.exit(1);
}

/** Whether every machine installs the same bytes, and from the registry alone. */
export function findLockProblems(manifest, { lockfileVersion, packages }) {
  const problems = [];
  if (lockfileVersion !== 3) problems.push(`package-lock.json: version ${lockfileVersion}, expected 3`);
  for (const group of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    for (const [name, version] of Object.entries(manifest[group] ?? {})) {
      if (!/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version)) {
        problems.push(
          `package.json: ${name} must be pinned to one version of the registry; got '${version}'`,
        );
      }
      const locked = packages[`node_modules/${name}`]?.version;
      const root = packages['']?.[group]?.[name];
      if (locked !== version || root !== version) {
        problems.push(
          `package-lock.json: ${name} is ${locked ?? 'missing'}, package.json says ${version}; run npm install`,
        );
      }
    }
  }
  for (const [path, { resolved, integrity, link }] of Object.entries(packages)) {
    if (path === '') continue;
    // Names, versions and hashes say what is installed; an address would bind everyone to one registry, or to a stranger.
    if (link || resolved) {
      problems.push(
        `package-lock.json: ${path} names where it comes from (${resolved ?? 'a link'}); install with --omit-lockfile-registry-resolved, and from the registry only`,
      );
    }
    if (!/^sha512-[\w+/]{86}==$/.test(integrity ?? '')) {
      problems.push(`package-lock.json: ${path} has no SHA-512 of its bytes`);
    }
  }
  return problems;
}

/** @param licenceOf of the installed package at a path of the lock file; null where it is not installed here. */
export function findLicenceProblems(packages, licenceOf) {
  return Object.entries(packages).flatMap(([path, entry]) => {
    if (path === '') return [];
    const isTool = Boolean(entry.dev || entry.devOptional);
    const licence = licenceOf(path) ?? entry.license;
    // Packages of other platforms are not here to be read.
    if (licence === undefined && entry.optional) return [];
    if (isAllowed(licence, isTool ? toolLicences : shippedLicences)) return [];
    const where = isTool ? 'for tools' : 'for what is shipped';
    return [`${path}: the licence '${licence ?? 'none'}' is not on the list ${where} (scripts/audit.mjs)`];
  });
}

/** Of `A OR B` one will do, of `A AND B` all must be allowed. */
function isAllowed(licence, allowed) {
  if (typeof licence !== 'string') return false;
  const text = licence.replace(/[()]/g, '');
  return text
    .split(/\s+OR\s+/)
    .some((option) => option.split(/\s+AND\s+/).every((each) => allowed.has(each)));
}

function installedLicence(path) {
  const manifest = join(root, path, 'package.json');
  return existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')).license ?? null) : null;
}

/** Lines that hold a secret, without the secret. */
export function findSecrets(path, text) {
  if (/(^|\/)(\.dev\.vars|\.env)(\.|$)/.test(path) && !path.endsWith('.example')) {
    return [`${path}: holds secrets by its name; take it out of git`];
  }
  if (path === 'package-lock.json') return [];
  return text.split('\n').flatMap((line, index) => {
    const found = secretPatterns.find(([, pattern]) => pattern.test(line))?.[0] ?? describeOwn(line);
    return found ? [`${path}:${index + 1}  holds ${found}; revoke it, then take it out`] : [];
  });
}

function describeOwn(line) {
  // An example is no token: its checksum is wrong, so no deployment would look it up.
  if ([...line.matchAll(OWN_TOKEN)].some(([token]) => isOwnToken(token))) return 'a token of this product';
  if ([...line.matchAll(ASSIGNED)].some(([, value]) => isRandom(value)))
    return 'a random value under a secret name';
  return null;
}

/** As src/kernel/tokens.ts makes them: the last six characters are the CRC-32 of the rest, in base62. */
function isOwnToken(token) {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let sum = 0;
  for (const character of token.slice(-6)) sum = sum * 62 + alphabet.indexOf(character);
  return sum === crc32(token.slice(0, -6));
}

function isRandom(value) {
  const counts = new Map();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits >= RANDOM_BITS_MIN && /[A-Z]/.test(value) && /[a-z]/.test(value) && /\d/.test(value);
}

/** Everything that git would commit; where there is no git, nothing but the lock file can be looked at. */
function listFiles() {
  let paths;
  try {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
    paths = [...new Set(listed.split('\0').filter(Boolean))];
  } catch {
    console.log('no git here: the files were not searched for secrets');
    return [];
  }
  return paths.flatMap((path) => {
    const file = join(root, path);
    if (!existsSync(file)) return [];
    const bytes = readFileSync(file);
    return bytes.length > FILE_BYTES_MAX || bytes.includes(0) ? [] : [{ path, text: bytes.toString('utf8') }];
  });
}

/** Advisories about what is shipped. A registry that cannot be asked is no reason to fail. */
function findAdvisories() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const [command, first] = npm && node ? [node, [npm]] : ['npm', []];
  const { stdout } = spawnSync(command, [...first, 'audit', '--omit=dev', '--json'], {
    cwd: root,
    encoding: 'utf8',
    timeout: REGISTRY_MS_MAX,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, npm_config_fetch_retries: '0', npm_config_fetch_timeout: String(REGISTRY_MS_MAX) },
    shell: process.platform === 'win32' && command === 'npm',
  });
  const advisories = readAdvisories(stdout);
  if (advisories === null) {
    console.log('the registry did not answer: advisories were not looked up');
    return [];
  }
  for (const { name, severity } of advisories) console.log(`advisory (${severity}): ${name}`);
  return advisories
    .filter(({ severity }) => severity === 'high' || severity === 'critical')
    .map(({ name, severity }) => `${name}: a ${severity} advisory concerns what is shipped; see npm audit`);
}

/** Null for anything but an answer of the registry. */
export function readAdvisories(json) {
  try {
    const { vulnerabilities, metadata } = JSON.parse(json);
    return metadata?.vulnerabilities ? Object.values(vulnerabilities) : null;
  } catch {
    return null;
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
