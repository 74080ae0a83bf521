import { expect, it } from 'vitest';
import type { AnyOperation } from '../../src/kernel/operation/operation.ts';
import { createCategory, createType } from '../../src/tasks/categories/change-categories.ts';
import { createCustomField } from '../../src/tasks/custom-fields/change-custom-fields.ts';
import { invitePeople } from '../../src/workspaces/invitations/invite.ts';
import { createTeam } from '../../src/workspaces/teams/change-teams.ts';
import { api } from '../support/api.ts';
import { getCell } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { createEmailAddress } from '../support/people.ts';
import { createWorld, type World } from '../support/world.ts';
import { insertWebhook } from '../webhooks/operations/insert-webhook.ts';

interface LimitedOperation {
  readonly operation: AnyOperation;
  readonly max: number;
  readonly input: (world: World) => Record<string, unknown>;
  readonly table: string;
  /** An SQL condition for the rows that count toward the limit. */
  readonly counted: string;
  readonly more: (world: World) => Record<string, string | number>;
}

const invitations: LimitedOperation = {
  operation: invitePeople,
  max: 200,
  input: () => ({ email: createEmailAddress(), role: 'member' }),
  table: 'invitations',
  counted: 'ended_at IS NULL',
  more: ({ no, people }) => ({
    token_hash: `'${no} ' || value`,
    email: "value || '@example.com'",
    email_key: "value || '@example.com'",
    role: "'member'",
    projects: "'[]'",
    invited_by: people.owner.member,
    created_at: Date.now(),
    expires_at: Date.now() + 1_000_000,
  }),
};

const limitedOperations: readonly LimitedOperation[] = [
  invitations,
  {
    operation: createTeam,
    max: 500,
    input: () => ({ name: 'One more' }),
    table: 'teams',
    counted: '1',
    more: () => ({ name: "'Team'" }),
  },
  {
    operation: createCategory,
    max: 100,
    input: () => ({ value: 'One more' }),
    table: 'task_categories',
    counted: '1',
    more: () => ({ key: "'key' || value", value: "'Category'" }),
  },
  {
    operation: createCustomField,
    max: 50,
    input: () => ({ name: 'One more', type: 'text' }),
    table: 'custom_fields',
    counted: 'deleted_at IS NULL',
    more: () => ({ name: "'Field'", type: "'text'" }),
  },
  {
    operation: createType,
    max: 1_000,
    input: ({ categories: [{ id }] }) => ({ categoryId: id, value: 'One more' }),
    table: 'task_types',
    counted: '1',
    more: ({ categories: [{ id }] }) => ({ category: id, key: "'key' || value", value: "'Type'" }),
  },
];

const getWorldCell = (world: World) => getCell(world.cell);

async function countObjects(world: World, { table, counted }: LimitedOperation): Promise<number> {
  const rows = getWorldCell(world).prepare(`SELECT count(*) AS n FROM ${table} WHERE ws = ? AND ${counted}`);
  return Number(await rows.bind(world.no).first('n'));
}

/** Inserts rows until there is one less than the limit. */
async function fillUpToLimit(world: World, kind: LimitedOperation) {
  const columns = kind.more(world);
  await getWorldCell(world)
    .prepare(
      `WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < ?2)
      INSERT INTO ${kind.table} (ws, ${Object.keys(columns)}) SELECT ?1, ${Object.values(columns)} FROM numbers`,
    )
    .bind(world.no, kind.max - 1 - (await countObjects(world, kind)))
    .run();
}

it.each(limitedOperations)(
  '$operation.name never exceeds its limit of $max, even with concurrent requests',
  async (kind) => {
    const world = await createWorld();
    const { token } = world.people.owner;
    await fillUpToLimit(world, kind);
    const answers = await Promise.all([1, 2, 3].map(() => runForm(token, kind.operation, kind.input(world))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await countObjects(world, kind)).toBe(kind.max);
  },
);

it('a new invitation to the same address replaces the previous invitation, even at the limit', async () => {
  const world = await createWorld();
  const invitePerson = (email: string) =>
    runForm(world.people.owner.token, invitePeople, { email, role: 'member' });
  await fillUpToLimit(world, invitations);
  const email = createEmailAddress();
  const answers = [
    await invitePerson(email),
    await invitePerson(createEmailAddress()),
    await invitePerson(email),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 200]);
});

it('a retry of the request that reached the limit reports that the request was already completed', async () => {
  const world = await createWorld();
  const { lead } = world.people;
  for (let made = 0; made < 49; made += 1) await insertWebhook(world, lead);
  const addWebhook = (key: string) =>
    api(lead.token).post('/webhooks', { url: 'https://hooks.example.com/' }, { 'Idempotency-Key': key });
  const [first, again] = await Promise.all([addWebhook('last'), addWebhook('last')]);
  const [made, repeated] = first.status === 201 ? [first, again] : [again, first];
  expect([made.status, repeated.status]).toEqual([201, 400]);
  expect(repeated.body.error.message).toMatch(/^This request was already completed/);
  expect((await addWebhook('one more')).body.error.message).toMatch(
    /^This workspace has reached its limit of 50 webhooks\./,
  );
});
