import { listRequiredScopes } from '../../src/kernel/access/access.ts';
import type { AnyOperation } from '../../src/kernel/operation/operation.ts';
import { routes } from '../../src/registry.ts';

const modules = import.meta.glob<Record<string, unknown>>(
  ['../../src/**/*.{ts,tsx}', '!../../src/{web/client,command-line}/**', '!../../src/**/*.d.ts'],
  { eager: true },
);

const isOperation = (value: unknown): value is AnyOperation =>
  value !== null && typeof value === 'object' && 'handler' in value && 'capability' in value;

const exportedOperations = Object.values(modules).flatMap(Object.values).filter(isOperation);
const routedOperations = new Set<AnyOperation>(routes.map(({ operation }) => operation));

/** Collected from the source files, so that suites don't miss a new operation. */
export const unroutedOperations: readonly AnyOperation[] = [...new Set(exportedOperations)].filter(
  (each) => !routedOperations.has(each),
);

/** The operations that only forms can run, because tools run only operations that require a scope. */
export const formOperations: readonly AnyOperation[] = unroutedOperations.filter(
  ({ access }) => listRequiredScopes(access).length === 0,
);
