import assert from 'node:assert/strict';
import { it } from 'node:test';
import { crc32 } from 'node:zlib';
import { readAdvisories } from '../../scripts/audit/advisories.ts';
import { findLicenceProblems } from '../../scripts/audit/licences.ts';
import { findLockProblems, type Lock, type LockedPackage } from '../../scripts/audit/lock.ts';
import { findSecrets } from '../../scripts/audit/secrets.ts';

const integrity = `sha512-${'a'.repeat(86)}==`;
const lockOf = (packages: Lock['packages']): Lock => ({
  lockfileVersion: 3,
  packages: { '': { dependencies: { hono: '4.0.0' } }, ...packages },
});
const hono = { version: '4.0.0', integrity, license: 'MIT' };
const manifest = { dependencies: { hono: '4.0.0' } };

it('finds nothing wrong with exact versions that the lock file knows', () => {
  assert.deepEqual(findLockProblems(manifest, lockOf({ 'node_modules/hono': hono })), []);
});

for (const version of [
  '^4.0.0',
  '~4.0.0',
  '*',
  'latest',
  'git+https://git.example/hono.git',
  'file:../hono',
  'x/hono',
]) {
  it(`refuses a dependency on ${version}`, () => {
    const problems = findLockProblems(
      { dependencies: { hono: version } },
      lockOf({ 'node_modules/hono': hono }),
    );
    assert.match(problems.join('\n'), /hono must be pinned/);
  });
}

it('refuses a lock file that says something else than package.json', () => {
  const older = lockOf({ 'node_modules/hono': { ...hono, version: '3.9.0' } });
  assert.match(findLockProblems(manifest, older).join(), /hono is 3\.9\.0/);
  assert.match(findLockProblems(manifest, lockOf({})).join(), /hono is missing/);
});

it('refuses addresses, links, and bytes that nobody vouches for', () => {
  const locked = (change: LockedPackage) => lockOf({ 'node_modules/hono': { ...hono, ...change } });
  for (const resolved of [
    'git+ssh://git@github.com/x/y.git#abc',
    'https://registry.example/h.tgz',
    'file:../x',
  ]) {
    assert.match(findLockProblems(manifest, locked({ resolved })).join(), /names where it comes from/);
  }
  assert.match(findLockProblems(manifest, locked({ link: true })).join(), /names where it comes from/);
  assert.match(findLockProblems(manifest, locked({ integrity: 'sha1-abc=' })).join(), /no SHA-512/);
  assert.deepEqual(findLockProblems(manifest, locked({})), []);
});

it('holds what is shipped to other licences than the tools', () => {
  const problemsOf = (licence: unknown, entry: LockedPackage = {}) =>
    findLicenceProblems({ '': {}, 'node_modules/a': { version: '1.0.0', ...entry } }, () => licence);
  for (const licence of ['MIT', '(MIT OR GPL-3.0)', 'Apache-2.0 AND ISC'])
    assert.deepEqual(problemsOf(licence), []);
  for (const licence of [
    'GPL-3.0',
    'MPL-2.0',
    'MIT AND GPL-3.0',
    'SEE LICENSE IN x',
    null,
    { type: 'MIT' },
  ]) {
    assert.equal(problemsOf(licence).length, 1, String(licence));
  }
  assert.deepEqual(problemsOf('MPL-2.0', { dev: true }), []);
  assert.equal(problemsOf('AGPL-3.0', { dev: true }).length, 1);
});

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** A well-formed token; put together here, so that this file holds none. */
function ownToken() {
  const body = `ew_live_00${'q7Zt'.repeat(7).slice(0, 27)}`;
  let sum = crc32(body);
  let text = '';
  for (let n = 0; n < 6; n += 1) {
    text = alphabet[sum % 62] + text;
    sum = Math.floor(sum / 62);
  }
  return body + text;
}

const secrets = {
  'a private key': `-----BEGIN ${'EC '}PRIVATE KEY-----`,
  'a GitHub token': `x = ghp${'_'}${'a1B2'.repeat(9)}`,
  'an AWS access key': `AKI${'A'}${'ABCD'.repeat(4)}`,
  'a signed token': `ey${'J'}hbGciOiJIUzI1NiJ9.ey${'J'}zdWIiOiJ1c3IifQ.${'a1-_'.repeat(8)}`,
  'a password in an address': `postgres://app:${'hunter22'}@db.internal/app`,
  'a token of this product': `curl -H "Authorization: Bearer ${ownToken()}"`,
  'a random value under a secret name': `SESSION_SECRET="${'kJ8s0QzP2mXv7'}${'TbN4wLr9YcE1hFd6'}"`,
};

for (const [name, line] of Object.entries(secrets)) {
  it(`finds ${name}, and does not repeat it`, () => {
    const found = findSecrets('docs/a.md', `first\n${line}\n`);
    assert.equal(found.length, 1);
    const [problem = ''] = found;
    assert.ok(problem.startsWith('docs/a.md:2 '));
    assert.ok(problem.includes(name));
    assert.ok(!problem.includes(line.slice(-12)));
  });
}

it('finds a file of secrets by its name', () => {
  for (const path of ['.dev.vars', 'deploy/.env', '.env.production'])
    assert.equal(findSecrets(path, '').length, 1);
  assert.deepEqual(findSecrets('.dev.vars.example', 'SESSION_SECRET=""'), []);
});

it('takes examples, references and passwords of the demo for what they are', () => {
  const innocent = [
    'Authorization: Bearer ew_live_…',
    `ew_live_00${'q7Zt'.repeat(8)}A`,
    'https://user:secret@app.example/cb',
    "SESSION_SECRET: 'only-for-tests-0123456789-0123456789'",
    'const password = process.env.ADMIN_PASSWORD_FROM_THE_ENVIRONMENT',
    'npx wrangler secret put SESSION_SECRET',
  ];
  assert.deepEqual(findSecrets('docs/a.md', innocent.join('\n')), []);
});

it('reads an answer of the registry, and nothing else, as one', () => {
  const vulnerabilities = { hono: { name: 'hono', severity: 'high' } };
  const answer = { vulnerabilities, metadata: { vulnerabilities: { high: 1 } } };
  assert.deepEqual(readAdvisories(JSON.stringify(answer)), [vulnerabilities.hono]);
  for (const text of ['', 'null', '{"message":"405 Method Not Allowed"}', '<html>']) {
    assert.equal(readAdvisories(text), null);
  }
});
