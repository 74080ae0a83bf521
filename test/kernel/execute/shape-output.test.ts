import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { shapeOutput } from '../../../src/kernel/execute/run-operation.ts';
import { routes } from '../../../src/registry.ts';

const person = z.object({
  id: z.string(),
  age: z.int().nullable(),
  role: z.enum(['owner', 'client']),
  kind: z.literal('person'),
  isActive: z.boolean(),
  tags: z.array(z.object({ name: z.string() })),
  note: z.string().optional(),
});
const ada = { id: 'a', age: 36, role: 'owner', kind: 'person', isActive: true, tags: [{ name: 'x' }] };

describe('shapeOutput', () => {
  it('returns the same value as parsing with the schema', () => {
    for (const value of [
      ada,
      { ...ada, age: null, note: 'n', tags: [] },
      { ...ada, note: undefined, secret: 'hash', tags: [{ name: 'x', no: 1 }] },
    ]) {
      expect(shapeOutput(person, value)).toEqual(person.parse(value));
      expect(shapeOutput(z.array(person), [value])).toEqual([person.parse(value)]);
    }
  });

  it("throws the schema's error for a missing field or a wrong type", () => {
    const wrong: Record<string, unknown>[] = [
      { id: undefined },
      { id: 1 },
      { id: null },
      { age: undefined },
      { age: '36' },
      { age: Number.NaN },
      { role: 'lead' },
      { kind: 'thing' },
      { isActive: 1 },
      { tags: null },
      { tags: [{}] },
      { tags: [null] },
      { note: null },
    ];
    for (const change of wrong) {
      const value = { ...ada, ...change };
      expect(() => shapeOutput(person, value), JSON.stringify(change)).toThrow(z.ZodError);
    }
    expect(() => shapeOutput(person, null)).toThrow(z.ZodError);
  });

  it('supports the output schema of every route', () => {
    for (const { operation } of routes) {
      expect(() => shapeOutput(operation.output, undefined), operation.name).toThrow(z.ZodError);
    }
  });
});
