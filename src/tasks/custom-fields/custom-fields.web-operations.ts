import type { AnyOperation } from '../../kernel/operation/operation.ts';
import {
  createCustomField,
  deleteCustomField,
  restoreCustomField,
  setProjectFields,
  updateCustomField,
} from './change-custom-fields.ts';
import { listFieldChoices, listFieldSettings, listProjectFields } from './list-custom-fields.ts';

export const customFieldWebOperations: readonly AnyOperation[] = [
  listFieldSettings,
  listFieldChoices,
  createCustomField,
  updateCustomField,
  deleteCustomField,
  restoreCustomField,
  listProjectFields,
  setProjectFields,
];
