import { indexPeople } from '../../src/imports/plan/index-people.ts';
import { planImport } from '../../src/imports/plan/plan-import.ts';
import { readSource } from '../../src/imports/sources/read-source.ts';

export const encode = (text: string) => new TextEncoder().encode(text);
const members = [
  { no: 1, user_id: 'usr_mara', name: 'Mara Lindqvist', email: 'mara@example.com' },
  { no: 2, user_id: 'usr_ola', name: 'olaleft', email: 'ola@example.com' },
];

/** Plans an import of the board as `/v1/imports` does. */
export function planBoard(board: unknown) {
  return planImport(readSource(encode(JSON.stringify(board))), {
    ...indexPeople(members),
    fileKey: 'file:x',
    dateOrder: undefined,
    timezone: 'Europe/Berlin',
    today: '2026-11-28',
    labels: new Map(),
    findChoice: () => null,
  });
}
