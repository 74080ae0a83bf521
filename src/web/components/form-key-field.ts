import { randomSecret } from '../../kernel/secrets/tokens.ts';

/** In every form as it is rendered, so that a page has the same ETag as long as it says the same. */
const FORM_KEY_FIELD = '<input type="hidden" name="once" value="0"/>';

/** Gives the forms of a page the value by which each counts once. */
export function addFormKeys(html: string): string {
  return html.replaceAll(FORM_KEY_FIELD, FORM_KEY_FIELD.replace('"0"', `"${randomSecret()}"`));
}
