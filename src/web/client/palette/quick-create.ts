import { readPreview } from '../quick-add-preview.ts';
import {
  createDraft,
  deleteDraft,
  type QuickCreateDraft,
  readDraft,
  saveDraft,
} from './quick-create-draft.ts';
import { buildQuickCreate, showProjects } from './quick-create-elements.ts';
import { listReturnedTasks, listWaitingTasks, removeTask, saveTask } from './quick-create-queue.ts';
import { findScreenProject } from './screen-project.ts';
import { loadProjectOptions, sendQueuedTasks } from './send-queued-tasks.ts';

const DEBOUNCE_MS = 120;

let dialog: QuickCreate | null = null;

export function openQuickCreate(typed: string, isEntered: boolean) {
  if (dialog) dialog.focus();
  else dialog = new QuickCreate(typed, isEntered);
  sendTasks();
}

export function sendTasks() {
  void sendQueuedTasks(() => dialog);
}

/** Creates tasks in the background. Keeps the typed text until the server has created the task. */
class QuickCreate {
  readonly #elements;
  readonly #opener = document.activeElement;
  #draft: QuickCreateDraft;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #submitted = '';

  constructor(typed: string, isEntered: boolean) {
    this.#draft = readDraft();
    this.#elements = buildQuickCreate(this.#draft.name + typed, findScreenProject(this.#draft.project));
    this.#listen();
    const { dialog: element, field } = this.#elements;
    document.body.append(element);
    element.showModal();
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    void this.#loadProjects();
    if (typed) this.#save();
    if (isEntered) this.#submit();
    this.#showReturned();
    if (field.value) void this.#preview();
  }

  focus() {
    this.#elements.field.focus();
  }

  #listen() {
    const { dialog: element, form, field, select, more, another } = this.#elements;
    form.addEventListener('input', ({ target }) => {
      if (target === select) this.#draft = { ...this.#draft, project: select.value };
      if (target === field || target === select) this.#change();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    more.addEventListener('click', () => this.#linkToAllFields());
    element.addEventListener('keydown', (event) => {
      const { key, shiftKey, isComposing, target } = event;
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
      if (isComposing) return;
      if (key === 'Escape') this.#close();
      else if (key === 'Enter' && target === field) {
        if (shiftKey) another.checked = true;
        form.requestSubmit();
      } else return;
      event.preventDefault();
    });
    element.addEventListener('click', ({ target }) => {
      if (target === element) this.#close();
    });
    element.addEventListener('close', () => this.#close());
  }

  /** Doesn't wait for the browser's close event, which can come after the next key press. */
  #close() {
    const { dialog: element } = this.#elements;
    if (!element.isConnected) return;
    clearTimeout(this.#timer);
    element.close();
    element.remove();
    dialog = null;
    if (this.#opener instanceof HTMLElement) this.#opener.focus({ preventScroll: true });
  }

  #change() {
    this.#showProblem('');
    this.#save();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#preview(), DEBOUNCE_MS);
  }

  #save() {
    this.#draft = { ...this.#draft, name: this.#elements.field.value };
    const { name, project, key, problem } = this.#draft;
    if (problem === null) return saveDraft(this.#draft);
    if (name.trim() !== '') return saveTask(this.#draft);
    removeTask(key);
    this.#draft = createDraft(project);
  }

  async #loadProjects() {
    const options = await loadProjectOptions();
    if (options?.length === 0) this.#showProblem('Tasks belong to a project. Create or join one first.');
    if (options) showProjects(this.#elements.select, options);
  }

  async #preview() {
    const { form, field, understood } = this.#elements;
    if (field.value.trim() === '') return understood.replaceChildren();
    const nodes = await readPreview(() => form);
    if (nodes) understood.replaceChildren(...nodes);
  }

  #submit() {
    const { field, form, select } = this.#elements;
    const name = field.value;
    if (name.trim() === '') return field.focus();
    if (name !== this.#submitted) {
      const understood = String(new FormData(form).get('understood') ?? '');
      saveTask({ ...this.#draft, name, project: select.value, understood, problem: null });
      deleteDraft();
      this.#draft = createDraft(this.#draft.project);
      this.#submitted = name;
      this.#showProblem('');
      sendTasks();
    }
    form.setAttribute('aria-busy', 'true');
    field.select();
  }

  settle(added?: string) {
    const { form, field, status, understood, another } = this.#elements;
    const waiting = listWaitingTasks();
    if (!added || waiting.length === 0) form.removeAttribute('aria-busy');
    const isSettled = this.#submitted !== '' && waiting.every(({ name }) => name !== this.#submitted);
    if (isSettled) {
      if (field.value === this.#submitted) {
        field.value = '';
        understood.replaceChildren();
      }
      this.#submitted = '';
    }
    this.#showReturned();
    if (added) status.textContent = added;
    if (!isSettled || field.value !== '') return;
    if (another.checked) field.focus();
    else this.#close();
  }

  /** Returns the next rejected text to the field. Text that the person typed in the meantime returns after it. */
  #showReturned() {
    const { field, select } = this.#elements;
    const { key, problem, project } = this.#draft;
    const isTyped = field.value.trim() !== '' && field.value !== this.#submitted;
    const next = listReturnedTasks().find((each) => each.key !== key);
    if (!next || problem || (isTyped && next.problem === '')) return;
    if (isTyped)
      saveTask({ ...this.#draft, name: field.value, project: project || select.value, problem: '' });
    deleteDraft();
    this.#draft = next;
    field.value = next.name;
    if ([...select.options].some(({ value }) => value === next.project)) select.value = next.project;
    this.#showProblem(next.problem ?? '');
    void this.#preview();
    field.focus();
  }

  #showProblem(text: string) {
    const { problem, field, status } = this.#elements;
    problem.textContent = text;
    if (text) status.textContent = '';
    if (text) field.setAttribute('aria-invalid', 'true');
    else field.removeAttribute('aria-invalid');
  }

  #linkToAllFields() {
    const { more, field, select } = this.#elements;
    const address = new URL(more.href);
    address.searchParams.set('name', field.value);
    if (select.value) address.searchParams.set('project', select.value);
    more.href = address.href;
    deleteDraft();
    removeTask(this.#draft.key);
  }
}
