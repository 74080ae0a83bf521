import { Parser } from 'htmlparser2';

interface ShownForm {
  readonly method: string;
  readonly action: string;
  readonly hidden: Set<string>;
  readonly visible: Set<string>;
}

/** Includes fields outside the form element. */
function parseForms(html: string): ShownForm[] {
  const found: ShownForm[] = [];
  const byId = new Map<string, ShownForm>();
  const elsewhere: { form: string; name: string; isHidden: boolean }[] = [];
  const open: ShownForm[] = [];
  const addField = (form: ShownForm | undefined, name: string, isHidden: boolean) =>
    (isHidden ? form?.hidden : form?.visible)?.add(name);
  const parser = new Parser({
    onopentag(tag, { name, type, form, id, method = 'get', action = '' }) {
      if (tag === 'form') {
        const shown = { method, action, hidden: new Set<string>(), visible: new Set<string>() };
        found.push(shown);
        open.push(shown);
        if (id) byId.set(id, shown);
      }
      if (!name || !['input', 'textarea', 'select'].includes(tag)) return;
      const isHidden = type === 'hidden';
      if (form) elsewhere.push({ form, name, isHidden });
      else addField(open.at(-1), name, isHidden);
    },
    onclosetag: (tag) => {
      if (tag === 'form') open.pop();
    },
  });
  parser.end(html);
  for (const { form, name, isHidden } of elsewhere) addField(byId.get(form), name, isHidden);
  return found;
}

/**
 * Returns hidden fields that a person can also edit in another form on the page. Submitting the form with the hidden
 * field would save the old value instead of an unsaved edit.
 */
export function findHiddenCopies(html: string): { action: string; name: string; editedIn: string }[] {
  const forms = parseForms(html);
  return forms
    .filter(({ method }) => method === 'post')
    .flatMap((form) =>
      [...form.hidden].flatMap((name) =>
        forms
          .filter((other) => other !== form && other.visible.has(name))
          .map((other) => ({ action: form.action, name, editedIn: `${other.method} ${other.action}` })),
      ),
    );
}
