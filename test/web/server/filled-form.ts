import { unescapeHtml } from '../../oauth/flow.ts';

/**
 * Returns the fields that a browser would send from the unchanged form. If several forms have the same URL, `has` lists
 * field values that identify the right one.
 */
export function readFilledForm(
  html: string,
  address: string,
  has: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const form = html
    .split('<form ')
    .filter((each) => each.startsWith(`method="post" action="${address}"`))
    .map((each) => each.split('</form>')[0] ?? '')
    .find((each) => Object.entries(has).every(([name, value]) => hasField(each, name, value)));
  if (form === undefined)
    throw new Error(`No form of the page goes to ${address} with ${JSON.stringify(has)}`);
  const fields = [...readInputs(form), ...readTextAreas(form), ...readSelects(form)];
  return Object.fromEntries(fields.map(([name, value]) => [name, unescapeHtml(value)]));
}

/** An empty value matches any value. */
function hasField(form: string, name: string, value: string): boolean {
  return form.includes(value === '' ? `name="${name}"` : `name="${name}" value="${value}"`);
}

type FormFields = (readonly [name: string, value: string])[];

/** Keeps the order of the page, so that a selected checkbox overrides the hidden field with its name. */
function readInputs(form: string): FormFields {
  const tags = [...form.matchAll(/<input [^>]*>/g)].map(([tag]) => tag);
  const sent = tags.filter((tag) => readAttribute(tag, 'type') !== 'checkbox' || / checked/.test(tag));
  // Browsers don't send fields without a name.
  return sent
    .map((tag) => [readAttribute(tag, 'name'), readAttribute(tag, 'value')] as const)
    .filter(([name]) => name);
}

function readTextAreas(form: string): FormFields {
  const found = [...form.matchAll(/<textarea ([^>]*)>([^<]*)</g)];
  return found.map(([, tag = '', text = '']) => [readAttribute(tag, 'name'), text]);
}

function readSelects(form: string): FormFields {
  return [...form.matchAll(/<select ([^>]*)>(.*?)<\/select>/gs)].map(([, tag = '', options = '']) => {
    const chosen =
      /<option value="([^"]*)" selected/.exec(options) ?? /<option value="([^"]*)"/.exec(options);
    return [readAttribute(tag, 'name'), chosen?.[1] ?? ''];
  });
}

function readAttribute(tag: string, name: string): string {
  return new RegExp(`(?:^| )${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}
