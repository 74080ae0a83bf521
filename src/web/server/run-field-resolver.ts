import { readAsMember, type VisitingMember } from '../../accounts/browser-sessions/visitor.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { FieldResolver } from '../page-model/page.ts';

export async function runFieldResolver(
  c: HttpContext,
  visitor: VisitingMember,
  { operation, input, of }: FieldResolver,
  fields: URLSearchParams,
): Promise<ReturnType<FieldResolver['of']> | null> {
  const toResolve = input(fields);
  if (toResolve === null) return null;
  const { results } = await readAsMember(c, visitor, () => [{ operation, input: toResolve }]);
  const [result] = results;
  if (!result) throw new Error(`${operation.name} did not run`);
  if (!result.ok) throw result.error;
  return of(result.output as never, fields);
}
