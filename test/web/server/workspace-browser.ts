import { TestBrowser, unescapeHtml } from '../../oauth/flow.ts';
import type { Person, Workspace } from '../../support/world.ts';

/** A person's browser in a workspace, which opens pages and submits their forms. */
export class WorkspaceBrowser {
  readonly browser = new TestBrowser();
  readonly base: string;

  constructor(workspace: Pick<Workspace, 'id'>) {
    this.base = `/app/${workspace.id}`;
  }

  static async signIn(workspace: Pick<Workspace, 'id'>, person: Person): Promise<WorkspaceBrowser> {
    const screens = new WorkspaceBrowser(workspace);
    await screens.browser.signInAs(person);
    return screens;
  }

  async open(path: string, headers: Record<string, string> = {}) {
    const answer = await this.browser.request(this.base + path, { headers });
    return { status: answer.status, headers: answer.headers, html: await answer.text() };
  }

  /** Opens a page, fills in a form and submits it, as a browser without JavaScript does. */
  async send(
    page: string,
    action: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) {
    const { html } = await this.open(page);
    return this.post(action, { ...readHiddenFields(html, this.base + action, fields), ...fields }, headers);
  }

  async post(
    action: string,
    fields: URLSearchParams | Record<string, string>,
    headers: Record<string, string> = {},
  ) {
    const answer = await this.browser.post(this.base + action, fields, headers);
    return {
      status: answer.status,
      location: answer.headers.get('Location'),
      headers: answer.headers,
      html: await answer.text(),
    };
  }
}

/**
 * Returns the hidden fields of the first form that has the URL `action` and the fields `wanted`. A button can set the
 * form's URL.
 */
export function readHiddenFields(html: string, action: string, wanted: Record<string, string> = {}) {
  const button = new RegExp(`<button [^>]*form="([^"]+)" formaction="${action}"[^>]*>`).exec(html);
  const hasAction = (form: string) =>
    form.startsWith(`method="post" action="${action}"`) ||
    form.split('</form>', 1)[0]?.includes(` formaction="${action}"`) ||
    (button !== null && form.split('>', 1)[0]?.includes(` id="${button[1]}"`));
  const found = html
    .split('<form ')
    .filter(hasAction)
    .map((form) => (form.split('</form>')[0] ?? '') + (button?.[0] ?? ''))
    .map((form) => ({
      names: [...form.matchAll(/ name="([^"]+)"/g)].map(([, name]) => name),
      hidden: Object.fromEntries(
        [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
          name as string,
          unescapeHtml(value ?? ''),
        ]),
      ),
    }));
  const fits = found.find(({ names, hidden }) =>
    Object.entries(wanted).every(
      ([name, value]) => names.includes(name) && (hidden[name] === undefined || hidden[name] === value),
    ),
  );
  if (!fits) throw new Error(`No form of the page goes to ${action} with ${Object.keys(wanted)}`);
  return fits.hidden;
}

export function readFilterErrors(html: string) {
  const form = /<form method="get"[\s\S]*?<\/form>/.exec(html)?.[0] ?? '';
  const describedBy = [...form.matchAll(/aria-describedby="([^"]+)-problem" aria-invalid="true"/g)];
  return describedBy.map(([, id]) => [id, new RegExp(`id="${id}-problem">([^<]*)<`).exec(form)?.[1]]);
}
