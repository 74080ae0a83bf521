import { describe, expect, it } from 'vitest';
import { buildFingerprint, requireCurrentSnapshot } from '../../../src/kernel/operation/snapshot.ts';
import { updateTask } from '../../../src/tasks/operations/tasks.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld } from '../../support/world.ts';

const checkSnapshot = (
  shown: Record<string, unknown>,
  wanted: { due?: string | null },
  due: string | null,
) => {
  const prints = Object.entries(shown).map(([field, value]) => [field, buildFingerprint(value)]);
  return () => requireCurrentSnapshot(Object.fromEntries(prints), wanted, { due }, 'own');
};

describe("a form's snapshot of the values it displayed", () => {
  it('is rejected with 412 if a field has since changed, unless the field already has the new value', () => {
    expect(checkSnapshot({ due: 'a' }, { due: 'c' }, 'b')).toThrow(expect.objectContaining({ status: 412 }));
    expect(checkSnapshot({ due: 'a' }, { due: 'b' }, 'b')).not.toThrow();
    expect(checkSnapshot({ due: 'a' }, { due: 'c' }, 'a')).not.toThrow();
    expect(checkSnapshot({ due: 'a' }, {}, 'b')).not.toThrow();
    expect(checkSnapshot({}, { due: 'c' }, 'b')).not.toThrow();
  });

  it("is rejected with 400 if it contains a field that isn't an input of the operation", async () => {
    expect(checkSnapshot({ deadline: 'a' }, { due: 'c' }, 'b')).toThrow(
      expect.objectContaining({ status: 400 }),
    );
    const world = await createWorld();
    const { owner } = world.people;
    const { id } = await createTask(owner, world.projects.joined.id);
    const shown = { due: buildFingerprint(null) };
    const rejected = await runForm(owner.token, updateTask, { id, deadline: '2026-12-01' }, {}, 1, shown);
    expect([rejected.status, rejected.rowsWritten]).toEqual([400, 0]);
  });
});
