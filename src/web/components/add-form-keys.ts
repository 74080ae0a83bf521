import { createSecret } from '../../kernel/secrets/tokens.ts';

/** ETags are computed with this placeholder so that a new form key doesn't change them. */
const FORM_KEY_FIELD = '<input type="hidden" name="once" value="0"/>';

export function addFormKeys(html: string): string {
  return html.replaceAll(FORM_KEY_FIELD, FORM_KEY_FIELD.replace('"0"', `"${createSecret()}"`));
}
