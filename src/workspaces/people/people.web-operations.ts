import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { changeRole, handOverWorkspace } from './change-role.ts';
import { leaveWorkspace, removePerson } from './remove-person.ts';

export const peopleWebOperations: readonly AnyOperation[] = [
  changeRole,
  handOverWorkspace,
  removePerson,
  leaveWorkspace,
];
