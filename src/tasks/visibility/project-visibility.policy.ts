import { type AppError, notFoundError } from '../../kernel/errors/errors.ts';

/** @param field the input field that contains the id, unless the id is in the path. */
export function projectNotFoundError(id: number, field?: string): AppError {
  return notFoundError('project', id, ({ call }) => call('listProjects'), field);
}
