import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { unwrapSchema } from '../../src/kernel/errors/describe-parse-error.ts';
import { pickQueryInput } from '../../src/kernel/http/route.ts';
import { listFieldNames } from '../../src/kernel/http/trim-fields.ts';
import { parameterGroups } from '../../src/kernel/operation/schema.ts';
import { api } from '../support/api.ts';
import { createWorld, type World } from '../support/world.ts';
import { fillPath, getRouteName, guardedRoutes } from './requests.ts';

/** Two valid values for each of these parameters, because requests with the default value `x` would fail. */
const parameterSamples: Readonly<Record<string, readonly [string, string]>> = {
  ids: ['1', '2'],
  projectId: ['1', '2'],
};

const parameters = guardedRoutes
  .filter(({ method }) => method === 'GET')
  .flatMap((route) => {
    const fields = listFieldNames(route.operation.output);
    const inQuery = Object.entries(pickQueryInput(route).shape).map(([name, schema]) => {
      const type = unwrapSchema(schema as z.ZodType);
      const options = type instanceof z.ZodArray ? unwrapSchema(type.element as z.ZodType) : null;
      const known = options instanceof z.ZodEnum ? options.options.map(String) : [];
      const [one = 'x', other = one] = parameterSamples[name] ?? known;
      const isGroup = parameterGroups.has(schema as z.ZodType);
      return { route, name: isGroup ? 'cf_1' : name, isList: type instanceof z.ZodArray, one, other };
    });
    const [one = '', other = one] = fields;
    return [...inQuery, ...(fields.length > 0 ? [{ route, name: 'fields', isList: true, one, other }] : [])];
  });

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

describe('a query parameter that is sent repeatedly', () => {
  it('becomes a list if it accepts several values', async () => {
    const lists = parameters.filter(({ isList }) => isList);
    for (const { route, name, one, other } of lists) {
      const me = api(world.people.owner.token);
      const path = fillPath(route);
      const repeated = await me.get(`${path}?${name}=${one}&${name}=${other}`);
      const listed = await me.get(`${path}?${name}=${one},${other}`);
      expect([repeated.status, repeated.text], `${getRouteName(route)} ${name}`).toEqual([
        listed.status,
        listed.text,
      ]);
    }
    expect([...new Set(lists.map(({ name }) => name))]).toEqual(
      expect.arrayContaining(['status', 'priority', 'assigneeId', 'types', 'fields', 'expand']),
    );
  });

  it('is rejected with 400 if it accepts only one value, and the error says to send it once', async () => {
    for (const { route, name, one } of parameters.filter(({ isList }) => !isList)) {
      const { status, body } = await api(world.people.owner.token).get(
        `${fillPath(route)}?${name}=${one}&${name}=${one}`,
      );
      expect([status, body.error?.message], `${getRouteName(route)} ${name}`).toEqual([
        400,
        `${name} was sent twice; send it once`,
      ]);
    }
  });
});
