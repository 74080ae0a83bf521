import { QUICK_ADD_HINT } from '../../components/quick-add-hint.ts';
import { getWorkspaceBase } from '../screen-url.ts';
import { buildIcon } from './palette-item.ts';

/** Must match `QUICK_ADD_CHARACTERS_MAX` in src/tasks/quick-add/quick-add.schema.ts. */
const QUICK_ADD_CHARACTERS_MAX = 700;

interface ProjectOption {
  readonly id: string;
  readonly name: string;
}

export function buildQuickCreate(text: string, project: ProjectOption | null) {
  const base = getWorkspaceBase() ?? '';
  const dialog = document.createElement('dialog');
  Object.assign(dialog, { className: 'quick-create', ariaLabel: 'New task' });
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: `${base}/tasks/add`, noValidate: true });
  const back = `${base}/tasks/add`;
  for (const [name, value] of Object.entries({ back, stay: '1' })) {
    const hidden = document.createElement('input');
    Object.assign(hidden, { type: 'hidden', name, value });
    form.append(hidden);
  }
  const field = document.createElement('input');
  Object.assign(field, { type: 'text', name: 'name', value: text, maxLength: QUICK_ADD_CHARACTERS_MAX });
  Object.assign(field, { autocomplete: 'off', placeholder: 'Task name', ariaLabel: 'Task name' });
  field.setAttribute('aria-describedby', 'quick-create-hint quick-create-problem');
  field.enterKeyHint = 'done';
  const hint = buildTextElement('p', 'quick-create-hint', QUICK_ADD_HINT);
  hint.className = 'hint';
  const understood = document.createElement('div');
  understood.className = 'understood';
  understood.ariaLive = 'polite';
  const problem = buildTextElement('p', 'quick-create-problem', '');
  Object.assign(problem, { className: 'problem', role: 'alert' });
  const status = buildTextElement('p', 'quick-create-status', '');
  Object.assign(status, { className: 'hint', role: 'status' });
  const select = document.createElement('select');
  Object.assign(select, { name: 'projectId', ariaLabel: 'Project' });
  if (project) select.append(new Option(project.name, project.id, true, true));
  const label = document.createElement('label');
  label.className = 'check';
  const another = document.createElement('input');
  another.type = 'checkbox';
  label.append(another, 'Create another');
  const more = document.createElement('a');
  Object.assign(more, { className: 'button quiet', href: `${base}/tasks/new`, textContent: 'All fields' });
  const create = document.createElement('button');
  Object.assign(create, { type: 'submit', textContent: 'Create task' });
  const close = document.createElement('button');
  Object.assign(close, { type: 'button', className: 'quiet', ariaLabel: 'Close' });
  close.append(buildIcon('x') ?? '');
  close.addEventListener('click', () => dialog.close());
  const head = buildRow('quick-create-head', field, close);
  const foot = buildRow('quick-create-foot', select, label, more, create);
  form.append(head, hint, understood, problem, status, foot);
  dialog.append(form);
  return { dialog, form, field, select, another, more, understood, problem, status };
}

function buildRow(className: string, ...children: HTMLElement[]): HTMLElement {
  const row = document.createElement('div');
  row.className = className;
  row.append(...children);
  return row;
}

function buildTextElement(tag: string, id: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  Object.assign(element, { id, textContent: text });
  return element;
}

export function showProjectOptions(select: HTMLSelectElement, listed: readonly HTMLOptionElement[]) {
  const selected = select.value;
  const current = [...select.options].filter(({ value }) => listed.every((option) => option.value !== value));
  select.replaceChildren(
    ...current,
    ...listed.map(({ value, text }) => new Option(text, value, value === selected, value === selected)),
  );
}
