import { browserAuthenticator } from '../../accounts/browser-sessions/browser-caller.ts';
import { readBrowserIn, type SignedInBrowser } from '../../accounts/browser-sessions/browser-session.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import { execute } from '../../kernel/execute/execute.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { ChangedMeanwhile, type Shown } from '../../kernel/operation/as-shown.ts';
import { omitUntouched, readSnapshot } from '../components/snapshot-field.ts';
import type { AnyForm, AnyPage, Refused } from '../page-model/page.ts';
import { readNames, safeBack } from './addresses.ts';
import { leaveDone } from './done.ts';
import { findNamed } from './find-named.ts';
import { fieldOf, problemBeside, problemsOf, readFormInput } from './form-input.ts';
import { askMeaning } from './meaning.ts';
import { sayWhoChanged } from './meanwhile.ts';
import { keyOfForm } from './once.ts';
import { readTypedForm } from './page-form.ts';
import { answerRefusal, pageStatus } from './problem.tsx';
import { nothingHere, showPage } from './show-page.ts';
import { askToSignInAgain } from './typed.tsx';
import { sayToPerson } from './words.ts';

/**
 * Carries a form out through its operation and goes on with a redirect to a page, so that a reload repeats nothing. A
 * refused form comes back on its page, filled in.
 */
export async function takeForm(c: HttpContext, form: AnyForm, pages: readonly AnyPage[]): Promise<Response> {
  const workspaceId = c.req.param('workspace') ?? '';
  const { browser, cell } = await readBrowserIn(c, workspaceId);
  const base = `/app/${workspaceId}`;
  const { typed, outdated } = await readTypedForm(c, browser, form.multiline);
  const back = safeBack(typed.get('back'), base, c.get('scope').origin);
  const { person } = browser;
  if (!person) return askToSignInAgain(c, { form: typed, back, outdated });
  const signedIn = { ...browser, person };
  if (cell === null) return answerRefusal(c, nothingHere(), { browser: signedIn, typed });

  const place = { workspaceId, cell };
  let values = typed;
  const again = (refused: Omit<Refused, 'action' | 'values'>, status: ReturnType<typeof pageStatus> = 200) =>
    showPage(c, pages, {
      address: form.comesBackTo?.(values, base) ?? back,
      refused: { action: c.req.path, values, ...refused },
      status,
    });
  const elsewhere = form.leadsTo?.(typed, base);
  if (elsewhere) return c.redirect(elsewhere, 303);
  if (outdated) return again({ fields: {}, message: sayToPerson(outdated) }, pageStatus(outdated));
  const { fields, problems: unknown } = await findNamed(c, signedIn, place, typed);
  if (Object.keys(unknown).length > 0) return again({ fields: unknown, message: null }, 400);
  // That page knows whom the fields name.
  if (form.comesBackTo) values = fields;
  if (form.isPreview?.(fields)) return again({ fields: {}, message: null });

  const { operation } = form;
  const sent = [...fields.keys()];
  try {
    const shown = readSnapshot(fields);
    const read = await readInput(c, form, { browser: signedIn, place, fields });
    if (read.outcome === 'wrong') return again({ fields: read.problems, message: read.message }, 400);
    // Whoever changed nothing must not put back what others changed.
    if (read.outcome === 'untouched') return c.redirect(back, 303);
    const { input } = read;
    const output = await carryOut(c, form, { browser: signedIn, place, fields, shown }, input);
    if (form.secret) return showPage(c, pages, { address: back, secret: form.secret(output as never) });
    const parsed = { input: operation.input.parse(input), back, base, fields };
    const done = form.done?.({ ...parsed, output, now: c.get('scope').now } as never);
    const next = form.goesOn?.(output as never, parsed as never) ?? back;
    if (done) leaveDone(c, done, next, back);
    return c.redirect(next, 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    for (const [name, value] of Object.entries(error.headers)) {
      if (name !== 'WWW-Authenticate') c.header(name, value);
    }
    const said =
      error instanceof ChangedMeanwhile
        ? await sayWhoChanged(c, error)
        : sayToPerson(error, c.get('caller')?.timezone);
    const field = fieldOf(error, sent);
    return again(
      field === null ? { fields: {}, message: said } : { fields: { [field]: said }, message: null },
      pageStatus(error),
    );
  }
}

/** A form that was sent, with the names in it replaced by ids. */
interface Sent {
  readonly browser: SignedInBrowser;
  readonly place: { workspaceId: string; cell: number };
  readonly fields: URLSearchParams;
  readonly shown: Shown;
}

type ReadInput =
  | { readonly outcome: 'read'; readonly input: Record<string, unknown> }
  /** Every field is as the page showed it. */
  | { readonly outcome: 'untouched' }
  | {
      readonly outcome: 'wrong';
      readonly problems: Readonly<Record<string, string>>;
      /** What is wrong with no field that was sent. */
      readonly message: string | null;
    };

/** The input of the operation: what the fields say or mean, what the form fixes, and the names of the path. */
async function readInput(
  c: HttpContext,
  form: AnyForm,
  { browser, place, fields }: Omit<Sent, 'shown'>,
): Promise<ReadInput> {
  const schema = form.operation.input;
  const meant = form.meaning && (await askMeaning(c, browser, place, form.meaning, fields));
  if (meant && 'problems' in meant) return { outcome: 'wrong', problems: meant.problems, message: null };
  const said = meant?.input ?? form.toInput?.(fields) ?? readFormInput(fields, schema);
  const touched = omitUntouched(said, fields, schema);
  if (touched === null) return { outcome: 'untouched' };
  const { workspace: _workspace, ...named } = c.req.param() as Record<string, string>;
  const path = readNames(schema, new URLSearchParams(), named);
  const input = { ...touched, ...form.fixed, ...path };
  const problems = problemsOf(input, schema);
  if (Object.keys(problems).length === 0) return { outcome: 'read', input };
  return { outcome: 'wrong', problems, message: problemBeside(problems, [...fields.keys()]) };
}

async function carryOut(
  c: HttpContext,
  { operation }: AnyForm,
  { browser, place, fields, shown }: Sent,
  input: Record<string, unknown>,
): Promise<unknown> {
  const scope = c.get('scope');
  const { output } = await execute(operation, {
    request: scope,
    authenticator: browserAuthenticator(scope, browser, place),
    input: () => input,
    cell: (caller) => scope.cell(caller.cell),
    accepted: (caller) => c.set('caller', caller),
    idempotencyKey: keyOfForm(c, fields, input),
    shown,
  });
  return output;
}
