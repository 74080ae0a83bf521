import { randomSecret } from '../../kernel/secrets/tokens.ts';

/** A placeholder, so that equal pages have equal ETags. */
const FORM_KEY_FIELD = '<input type="hidden" name="once" value="0"/>';

/** Replaces the placeholder of each form with a fresh form key. */
export function addFormKeys(html: string): string {
  return html.replaceAll(FORM_KEY_FIELD, FORM_KEY_FIELD.replace('"0"', `"${randomSecret()}"`));
}
