/// <reference types="vite/client" />
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { setPassword } from '../../support/people.ts';
import { addMember, createWorld } from '../../support/world.ts';
import { createAccessChecks } from './access-checks.ts';
import { credentialKinds, secretColumns, secretSources } from './credential-kinds.ts';

const schemas = import.meta.glob<Record<string, unknown>>('../../../src/schema/*/*.ts', { eager: true });
const sources = import.meta.glob<string>(
  ['../../../src/**/*.{ts,tsx}', '!../../../src/{web/client,api-client,command-line,kernel/secrets}/**'],
  { eager: true, query: '?raw', import: 'default' },
);

const SECRET_NAME = /hash|token|secret|nonce|session|password|prefix|credential|s3_key|object_key/;
const KIND_COLUMNS = /^(credentials\.kind|account_links\.purpose|.*\.credential_kind)$/;
const CREATES_SECRET =
  /\b(?:createSecret|createToken|signSessionToken|signText|presignUrl|appendSeal|createHmac|setSignedCookie|generateState)\(/;

const columns = Object.values(schemas)
  .flatMap(Object.values)
  .filter((value) => value instanceof SQLiteTable)
  .map((table) => getTableConfig(table))
  .flatMap((table) =>
    table.columns.map((column) => ({
      name: `${table.name}.${column.name}`,
      kinds: (column.enumValues ?? []) as string[],
    })),
  );

const stored = columns.map(({ name }) => name).filter((name) => SECRET_NAME.test(name.split('.')[1] ?? ''));
const kinds = columns
  .filter(({ name }) => KIND_COLUMNS.test(name))
  .flatMap(({ name, kinds: values }) => values.map((kind) => `${name} ${kind}`));
const files = Object.entries(sources)
  .filter(([, text]) => CREATES_SECRET.test(text))
  .map(([path]) => path.replace('../../../src/', ''));

let checkNames: string[];
beforeAll(async () => {
  const [home, otherWorld] = [await createWorld({ cell: 0 }), await createWorld({ cell: 1 })];
  const me = home.people.admin;
  const memberInOtherCell = await addMember(otherWorld, me, 'lead');
  await setPassword(me.userId);
  checkNames = Object.keys(await createAccessChecks({ home, otherWorld, me, memberInOtherCell }));
});

describe('the password change test checks, or exempts with a reason,', () => {
  it.each([
    ['every column that stores a secret', stored, secretColumns],
    ['every kind of credential and link', kinds, credentialKinds],
    ['every file that creates a secret or signature', files, secretSources],
  ])('%s', (_what, found, coverage) => {
    expect(found.toSorted()).toEqual(Object.keys(coverage).toSorted());
    const named = Object.values(coverage).flatMap((each) => (typeof each === 'string' ? [] : each));
    expect(named.filter((name) => !checkNames.includes(name))).toEqual([]);
  });
});
