import { expect, it } from 'vitest';
import { civilDate } from '../../../src/kernel/operation/schema.ts';

it('the date schema accepts every date near the turns of nine centuries, and rejects impossible dates', () => {
  const real = new Set<string>();
  for (let ms = Date.UTC(1600, 0, 1); ms < Date.UTC(2401, 0, 1); ms += 86_400_000) {
    real.add(new Date(ms).toISOString().slice(0, 10));
  }
  const padNumber = (value: number) => String(value).padStart(2, '0');
  for (let year = 1600; year <= 2400; year += year % 100 === 4 ? 92 : 1) {
    for (let month = 0; month <= 13; month += 1) {
      for (let day = 0; day <= 32; day += 1) {
        const text = `${year}-${padNumber(month)}-${padNumber(day)}`;
        expect(civilDate.safeParse(text).success, text).toBe(real.has(text));
      }
    }
  }
  for (const text of [
    '',
    '2026-1-01',
    '2026-01-1',
    ' 2026-01-01',
    '2026-01-01T00:00:00Z',
    '26-01-01',
    '२०२६-०१-०१',
  ]) {
    expect(civilDate.safeParse(text).success, text).toBe(false);
  }
});
