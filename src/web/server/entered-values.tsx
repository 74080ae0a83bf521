import type { HttpContext } from '../../kernel/http/http.ts';
import { NON_INPUT_FIELDS } from './form-input.ts';
import { SiteLayout } from './layout.tsx';
import type { ExpiredFormError } from './page-form.ts';
import { sendPage } from './page-response.ts';

const SECRET_FIELD_PATTERN = /password|token|secret|csrf/i;
const VALUES_SHOWN_MAX = 50;

export function isSecretField(name: string): boolean {
  return SECRET_FIELD_PATTERN.test(name);
}

function listEnteredValues(form: URLSearchParams): [name: string, value: string][] {
  return [...form]
    .filter(([name, value]) => value.trim() !== '' && !NON_INPUT_FIELDS.has(name) && !isSecretField(name))
    .slice(0, VALUES_SHOWN_MAX);
}

/** Lists what the person typed, so that they can copy it. Used if the form can't be displayed again. */
export function EnteredValues({ form }: { form: URLSearchParams | undefined }) {
  const typed = form ? listEnteredValues(form) : [];
  if (typed.length === 0) return null;
  return (
    <section class="panel padded entered-values" aria-labelledby="typed-name">
      <h2 id="typed-name">What you entered</h2>
      <dl>
        {typed.map(([name, value]) => (
          <>
            <dt>{toFieldLabel(name)}</dt>
            <dd class="text">{value}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}

function toFieldLabel(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])|[-_]/g, '$1 $2')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** If a script sent the request, the person's page still contains the typed values. */
function isScriptRequest(c: HttpContext): boolean {
  return (c.req.header('Sec-Fetch-Mode') ?? 'navigate') !== 'navigate';
}

/**
 * Keeps the typed values until the person has signed in again. The form on this page has no CSRF token, so submitting
 * it changes nothing and displays the original form again, filled in.
 */
export async function sendSignedOutPage(
  c: HttpContext,
  { form, back, expired = null }: { form: URLSearchParams; back: string; expired?: ExpiredFormError | null },
): Promise<Response> {
  const signIn = `/sign-in?next=${encodeURIComponent(back)}`;
  const isTyped = listEnteredValues(form).length > 0;
  if (isScriptRequest(c) || (!isTyped && !expired)) return c.redirect(signIn, 303);
  if (expired && !isTyped) throw expired;
  const resubmittedFields = [...form].filter(([name]) => !isSecretField(name));
  return sendPage(
    c,
    <SiteLayout title="You're signed out" width="narrow">
      <h1>You're signed out</h1>
      <p role="alert">Nothing has been saved yet. Sign in, then continue here. Your changes are kept.</p>
      <form method="post" action={c.req.path} class="actions">
        <input type="hidden" name="csrf" value="" />
        {resubmittedFields.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <a class="button" href={signIn} target="_blank" rel="noopener">
          Sign in (opens a new tab)
        </a>
        <button type="submit" class="plain">
          Continue
        </button>
      </form>
      <EnteredValues form={form} />
    </SiteLayout>,
    403,
  );
}
