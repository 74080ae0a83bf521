import { beforeAll, describe, expect, it } from 'vitest';
import { buildFingerprint } from '../../../src/kernel/operation/snapshot.ts';
import { forms } from '../../../src/web/pages/screens.ts';
import { env, getCell } from '../../support/env.ts';
import { createWorld, type World } from '../../support/world.ts';
import { formConflicts } from '../../web/server/stale-forms.ts';
import { actBeforeBatch } from './act-before-batch.ts';
import { agentRaces } from './agent-races.ts';
import { operationsWithoutRace } from './operations-without-race.ts';
import { getOwnersApi, type Race, type RaceObjects, sendAs, writeOperations } from './race.ts';
import { taskRaces } from './task-races.ts';
import { workspaceRaces } from './workspace-races.ts';

const races: Readonly<Record<string, readonly Race[]>> = { ...taskRaces, ...agentRaces, ...workspaceRaces };
const BATCHES_MAX = 12;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

/** Omits ids and times, which differ from run to run. */
function toComparableText(outcome: unknown, objects: RaceObjects): string {
  const text = JSON.stringify(outcome, (key, value) => {
    if (key === 'message') return value.replace(/\d+/g, '<n>');
    return typeof value === 'number' && /id$|^(from|to|task|changeSet)$/i.test(key) ? '<id>' : value;
  });
  const ids = Object.entries(objects).filter(([, id]) => typeof id === 'string');
  const named = ids.reduce((all, [name, id]) => all.replaceAll(String(id), `<${name}>`), text);
  return named
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/\.\w{8}@/g, '@')
    .replace(/\/changes\/\d+/g, '/changes/<id>')
    .replace(/\bblocked_by \d+/g, 'blocked_by <id>')
    .replace(/cf_\d+/g, 'cf_<id>');
}

/** Runs the operation, and applies the other person's edit before one of its batches. */
async function runRace(name: string, race: Race, turn: number) {
  const objects = await race.createObjects(world);
  const { nextAfter } = (await getOwnersApi(world).get('/events')).body.meta;
  const otherStatuses: number[] = [];
  const database = writeOperations.get(name)?.access === 'account' ? env.DIRECTORY : getCell(world.cell);
  const { held, hasActed } = actBeforeBatch(database, turn, async () => {
    otherStatuses.push((await race.applyOtherEdit(objects, world)).status);
  });
  const shown = Object.entries(race.shown ?? {}).map(([field, value]) => [field, buildFingerprint(value)]);
  const send = sendAs(race.sender?.(objects, world) ?? world.people.owner);
  const { status, body } = await send(name, race.toInput(objects, world), held, Object.fromEntries(shown));
  const { data } = (await getOwnersApi(world).get(`/events?after=${nextAfter}&limit=100`)).body;
  const events = (data as { type: string; actor: unknown; changes: unknown }[]).map(
    ({ type, actor, changes }) => ({ type, actor, changes }),
  );
  const state = await race.readState(objects, world);
  return {
    hasActed: hasActed(),
    otherStatuses,
    status,
    outcome: JSON.parse(toComparableText({ status, body, state, events }, objects)),
  };
}

it('every operation that writes has a race test, or a stated reason for not having one', () => {
  expect([...Object.keys(races), ...Object.keys(operationsWithoutRace)].sort()).toEqual(
    [...writeOperations.keys()].sort(),
  );
});

it('every form that shows stored values has a race test with an outdated page', () => {
  const showing = forms
    .filter(({ name }) => formConflicts[name]?.edit)
    .map(({ operation }) => operation.name);
  const unseen = showing.filter((name) => !races[name]?.some(({ shown }) => shown));
  expect([showing.length > 10, unseen]).toEqual([true, []]);
});

describe.each(Object.entries(races))("%s during another person's edit", (name, ofOperation) => {
  it.each(ofOperation.map((race, index) => [index, race] as const))(
    'has the same result as if it started after the edit (race %i)',
    async (_index, race) => {
      const first = await runRace(name, race, 1);
      expect(first.otherStatuses).toEqual([200]);
      if (race.shown) expect(first.status).toBe(412);
      for (let turn = 2; ; turn += 1) {
        expect(turn, `${name} never stops reading`).toBeLessThan(BATCHES_MAX);
        const later = await runRace(name, race, turn);
        if (!later.hasActed) break;
        expect(later.outcome, `before batch ${turn}`).toEqual(first.outcome);
      }
    },
  );
});
