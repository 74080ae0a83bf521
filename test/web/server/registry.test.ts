import { describe, expect, it } from 'vitest';
import { forms, screens } from '../../../src/web/pages/screens.ts';

describe('the page and form registry', () => {
  it('has a unique name for each page and form, and a unique path for each form', () => {
    const names = [...screens, ...forms].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(forms.map(({ path }) => path)).size).toBe(forms.length);
  });

  it('uses read operations for pages and write operations for forms, none of them public', () => {
    for (const { reads, optionalReads = {} } of screens) {
      for (const operation of [...Object.values(reads), ...Object.values(optionalReads)]) {
        expect([operation.name, operation.effect, operation.access === 'public']).toEqual([
          operation.name,
          'read',
          false,
        ]);
      }
    }
    for (const { operation } of forms) {
      expect([operation.name, operation.effect, operation.access === 'public']).toEqual([
        operation.name,
        'write',
        false,
      ]);
    }
  });

  it("contains only forms whose path parameters are fields of the operation's input", () => {
    for (const { path, operation, name } of forms) {
      for (const [, each] of path.matchAll(/:(\w+)/g))
        expect([name, Object.keys(operation.input.shape)]).toEqual([name, expect.arrayContaining([each])]);
    }
  });
});
