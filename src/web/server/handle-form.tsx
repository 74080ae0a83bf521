import { runAsVisitor, type VisitingMember, type Visitor } from '../../accounts/browser-sessions/visitor.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import { execute } from '../../kernel/execute/execute.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { type Snapshot, StaleSnapshotError } from '../../kernel/operation/snapshot.ts';
import { omitUnchangedFields, parseSnapshotField } from '../components/snapshot-field.ts';
import type { AnyForm, AnyPage, RejectedForm } from '../page-model/page.ts';
import { describeConflict } from './edit-conflict.ts';
import { sendSignedOutPage } from './entered-values.tsx';
import { sendErrorPage, sendFailedFormPage, toPageStatus } from './error-page.tsx';
import { toErrorText } from './error-text.ts';
import { setFlashMessage } from './flash-message.ts';
import {
  describeHiddenFieldProblem,
  findErrorField,
  findInputProblems,
  parseFormInput,
} from './form-input.ts';
import { deriveFormKey } from './form-keys.ts';
import { collectParams, toSafeReturnUrl } from './match-page.ts';
import { readFormEvenIfExpired, readUrlEncodedForm } from './page-form.ts';
import { resolveNames } from './resolve-names.ts';
import { runFieldResolver } from './run-field-resolver.ts';
import { sendBusyFormPage } from './send-busy-form-page.tsx';
import { pageNotFoundError, showPage, showPageAsVisitor } from './show-page.ts';

/** Redirects after the operation so that a reload doesn't repeat it. A rejected form is displayed again, filled in. */
export async function handleForm(
  c: HttpContext,
  form: AnyForm,
  pages: readonly AnyPage[],
): Promise<Response> {
  const workspaceId = c.req.param('workspace') ?? '';
  try {
    return await runAsVisitor(c, workspaceId, (visitor) =>
      handleFormAsVisitor(c, visitor, { form, pages, base: `/app/${workspaceId}` }),
    );
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited')
      return sendBusyFormPage(c, error, await readUrlEncodedForm(c));
    if (error instanceof AppError) throw error;
    return sendFailedFormPage(c, error, await readUrlEncodedForm(c));
  }
}

async function handleFormAsVisitor(
  c: HttpContext,
  visitor: Visitor,
  { form, pages, base }: { form: AnyForm; pages: readonly AnyPage[]; base: string },
): Promise<Response> {
  const { browser } = visitor;
  const { typed, expired } = await readFormEvenIfExpired(c, browser, form.multiline);
  const back = toSafeReturnUrl(typed.get('back'), base, c.get('scope').origin);
  if (visitor.outcome === 'signed_out') return sendSignedOutPage(c, { form: typed, back, expired });
  if (visitor.outcome === 'not_a_member')
    return sendErrorPage(c, pageNotFoundError(), { browser: visitor.browser, typed });

  let values = typed;
  const sendFormAgain = (
    rejected: Omit<RejectedForm, 'action' | 'values'>,
    status: ReturnType<typeof toPageStatus> = 200,
  ) =>
    showPageAsVisitor(c, visitor, pages, {
      address: form.errorPage?.(values, base) ?? back,
      rejected: { action: c.req.path, values, ...rejected },
      status,
    });
  const redirectUrl = form.redirectInstead?.(typed, base);
  if (redirectUrl) return c.redirect(redirectUrl, 303);
  if (expired) return sendFormAgain({ fields: {}, message: toErrorText(expired) }, toPageStatus(expired));
  const { fields, problems: unknown } = await resolveNames(c, visitor, typed);
  if (Object.keys(unknown).length > 0) return sendFormAgain({ fields: unknown, message: null }, 400);
  if (form.errorPage) values = fields;
  if (form.isPreview?.(fields)) return sendFormAgain({ fields: {}, message: null });

  const { operation } = form;
  const fieldNames = [...fields.keys()];
  try {
    const snapshot = parseSnapshotField(fields);
    const read = await readFormInput(c, form, { visitor, fields });
    if (read.outcome === 'invalid')
      return sendFormAgain({ fields: read.problems, message: read.message }, 400);
    // Don't overwrite other people's changes with an untouched form.
    if (read.outcome === 'untouched') return c.redirect(back, 303);
    const { input } = read;
    const output = await runOperation(c, form, { visitor, fields, snapshot }, input);
    if (form.secret) return showPage(c, pages, { address: back, secret: form.secret(output as never) });
    const parsed = { input: operation.input.parse(input), back, base, fields };
    const flash = form.flash?.({ ...parsed, output, now: c.get('scope').now } as never);
    const next = form.redirectTo?.(output as never, parsed as never) ?? back;
    if (flash) setFlashMessage(c, flash, next, back);
    return c.redirect(next, 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    for (const [name, value] of Object.entries(error.headers)) {
      if (name !== 'WWW-Authenticate') c.header(name, value);
    }
    const message =
      error instanceof StaleSnapshotError
        ? await describeConflict(c, error)
        : toErrorText(error, c.get('caller')?.timezone);
    const field = findErrorField(error, fieldNames);
    return sendFormAgain(
      field === null ? { fields: {}, message } : { fields: { [field]: message }, message: null },
      toPageStatus(error),
    );
  }
}

interface SubmittedForm {
  readonly visitor: VisitingMember;
  readonly fields: URLSearchParams;
  readonly snapshot: Snapshot;
}

type FormInputResult =
  | { readonly outcome: 'read'; readonly input: Record<string, unknown> }
  | { readonly outcome: 'untouched' }
  | {
      readonly outcome: 'invalid';
      readonly problems: Readonly<Record<string, string>>;
      readonly message: string | null;
    };

async function readFormInput(
  c: HttpContext,
  form: AnyForm,
  { visitor, fields }: Omit<SubmittedForm, 'snapshot'>,
): Promise<FormInputResult> {
  const schema = form.operation.input;
  const resolved = form.resolver && (await runFieldResolver(c, visitor, form.resolver, fields));
  if (resolved && 'problems' in resolved)
    return { outcome: 'invalid', problems: resolved.problems, message: null };
  const stated = form.toInput?.(fields) ?? parseFormInput(fields, schema, form.resolver?.fields);
  const parsed = { ...stated, ...resolved?.input };
  const changedInput = omitUnchangedFields(parsed, fields, schema);
  if (changedInput === null) return { outcome: 'untouched' };
  const { workspace: _workspace, ...named } = c.req.param() as Record<string, string>;
  const path = collectParams(schema, new URLSearchParams(), named);
  const input = { ...changedInput, ...form.fixed, ...path };
  const problems = findInputProblems(input, schema);
  if (Object.keys(problems).length === 0) return { outcome: 'read', input };
  return { outcome: 'invalid', problems, message: describeHiddenFieldProblem(problems, [...fields.keys()]) };
}

async function runOperation(
  c: HttpContext,
  { operation }: AnyForm,
  { visitor, fields, snapshot }: SubmittedForm,
  input: Record<string, unknown>,
): Promise<unknown> {
  const scope = c.get('scope');
  const { output } = await execute(operation, {
    request: scope,
    authenticator: visitor.authenticator,
    input: () => input,
    cell: (caller) => scope.cell(caller.cell),
    accepted: (caller) => c.set('caller', caller),
    idempotencyKey: deriveFormKey(c, fields, input),
    snapshot,
  });
  return output;
}
