// Uses fake namespaces, because the local runtime has no jurisdictions.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from '../../scripts/databases.ts';
import { parseEnv } from '../../src/env.ts';
import { getSessionStub } from '../../src/files/uploads/session.ts';
import { getDurableObject } from '../../src/kernel/operation/durable-objects.ts';
import { getWorkspaceHub } from '../../src/kernel/operation/request-scope.ts';
import { countEnvCalls } from '../../src/upkeep/cron/counted-env.ts';

function createNamespace(place: string): unknown {
  return {
    jurisdiction: (name: string) => createNamespace(name),
    getByName: (name: string) => ({ where: () => `${place}: ${name}` }),
  };
}

const objects = {
  RATE_WINDOW: createNamespace('anywhere'),
  UPLOAD_SESSION: createNamespace('anywhere'),
  WORKSPACE_HUB: createNamespace('anywhere'),
  ERROR_LOG: createNamespace('anywhere'),
  DATABASE_KEEPER: createNamespace('anywhere'),
};
const createEnv = (vars: Record<string, string>) => ({ ...objects, ...vars }) as unknown as Env;
const getJurisdiction = (object: unknown) => (object as { where(): string }).where();

it("every Durable Object is created in the deployment's jurisdiction", () => {
  const env = createEnv({ JURISDICTION: 'eu' });
  assert.equal(getJurisdiction(getDurableObject(env, 'RATE_WINDOW', 'a')), 'eu: a');
  assert.equal(getJurisdiction(getSessionStub({ env }, 'b')), 'eu: b');
  assert.equal(getJurisdiction(getWorkspaceHub(env, 0, 7)), 'eu: 0/7');
  assert.equal(getJurisdiction(getDurableObject(env, 'ERROR_LOG', 'd')), 'eu: d');
  assert.equal(getJurisdiction(getDurableObject(env, 'DATABASE_KEEPER', 'cell 0')), 'eu: cell 0');
});

it('no jurisdiction is used on a local machine, or if none is set', () => {
  assert.equal(getJurisdiction(getWorkspaceHub(createEnv({}), 0, 7)), 'anywhere: 0/7');
  assert.equal(
    getJurisdiction(getWorkspaceHub(createEnv({ JURISDICTION: 'eu', ENVIRONMENT: 'local' }), 0, 7)),
    'anywhere: 0/7',
  );
});

it("a cron job's calls to Durable Objects in a jurisdiction are counted", () => {
  let spent = 0;
  const budget = { spend: (calls: number) => (spent += calls) } as unknown as Parameters<
    typeof countEnvCalls
  >[1];
  assert.equal(
    getJurisdiction(getWorkspaceHub(countEnvCalls(createEnv({ JURISDICTION: 'eu' }), budget), 0, 7)),
    'eu: 0/7',
  );
  assert.equal(spent, 1);
});

it('only the helper that applies the jurisdiction uses Durable Object namespaces', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('durable-objects.ts'))
    .filter((path) =>
      /\.(DATABASE_KEEPER|ERROR_LOG|RATE_WINDOW|UPLOAD_SESSION|WORKSPACE_HUB)\b/.test(
        readFileSync(join(root, 'src', path), 'utf8'),
      ),
    );
  assert.deepEqual(files, []);
});

it("uploads are signed for the jurisdiction's endpoint, and an unknown jurisdiction is rejected", () => {
  const vars = {
    SESSION_SECRET: 'x'.repeat(32),
    MAIL_FROM: 'Edgework <no-reply@edgework.com>',
    R2_BUCKET_NAME: 'files',
    R2_ACCOUNT_ID: 'abc',
    R2_ACCESS_KEY_ID: 'id',
    R2_SECRET_ACCESS_KEY: 'key',
  };
  const getEndpoint = (more: Record<string, string>) =>
    parseEnv(createEnv({ ...vars, ...more })).s3?.endpoint;
  assert.equal(getEndpoint({ JURISDICTION: 'eu' }), 'https://abc.eu.r2.cloudflarestorage.com');
  assert.equal(getEndpoint({}), 'https://abc.r2.cloudflarestorage.com');
  assert.throws(() => getEndpoint({ JURISDICTION: 'EU' }), /JURISDICTION/);
});
