import type { SignedInBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { FieldResolver } from '../page-model/page.ts';
import { readAsPerson } from './visitor.ts';

export async function resolveFields(
  c: HttpContext,
  browser: SignedInBrowser,
  place: { workspaceId: string; cell: number },
  { operation, input, of }: FieldResolver,
  fields: URLSearchParams,
): Promise<ReturnType<FieldResolver['of']>> {
  const { results } = await readAsPerson(c, browser, place, () => [{ operation, input: input(fields) }]);
  const [result] = results;
  if (!result) throw new Error(`${operation.name} was not asked`);
  if (!result.ok) throw result.error;
  return of(result.output as never, fields);
}
