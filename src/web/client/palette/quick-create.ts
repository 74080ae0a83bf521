import { readPreview } from '../quick-add-preview.ts';
import { findDefaultProject } from './default-project.ts';
import {
  createDraft,
  deleteDraft,
  type QuickCreateDraft,
  readDraft,
  saveDraft,
} from './quick-create-draft.ts';
import { buildQuickCreate, showProjectOptions } from './quick-create-elements.ts';
import {
  listReturnedTasks,
  listWaitingTasks,
  removeQueuedTask,
  saveQueuedTask,
} from './quick-create-queue.ts';
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

class QuickCreate {
  readonly #elements;
  readonly #opener = document.activeElement;
  #draft: QuickCreateDraft;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #submittedText = '';

  constructor(typed: string, isEntered: boolean) {
    this.#draft = readDraft();
    this.#elements = buildQuickCreate(this.#draft.name + typed, findDefaultProject(this.#draft.project));
    this.#addListeners();
    const { dialog: element, field } = this.#elements;
    document.body.append(element);
    element.showModal();
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    void this.#loadProjects();
    if (typed) this.#saveInput();
    if (isEntered) this.#submit();
    this.#showReturnedTask();
    if (field.value) void this.#showPreview();
  }

  focus() {
    this.#elements.field.focus();
  }

  #addListeners() {
    const { dialog: element, form, field, select, more, another } = this.#elements;
    form.addEventListener('input', ({ target }) => {
      if (target === select) this.#draft = { ...this.#draft, project: select.value };
      if (target === field || target === select) this.#handleInput();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    more.addEventListener('click', () => this.#prepareAllFieldsLink());
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

  #handleInput() {
    this.#showProblem('');
    this.#saveInput();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#showPreview(), DEBOUNCE_MS);
  }

  #saveInput() {
    this.#draft = { ...this.#draft, name: this.#elements.field.value };
    const { name, project, key, problem } = this.#draft;
    if (problem === null) return saveDraft(this.#draft);
    if (name.trim() !== '') return saveQueuedTask(this.#draft);
    removeQueuedTask(key);
    this.#draft = createDraft(project);
  }

  async #loadProjects() {
    const options = await loadProjectOptions();
    if (options?.length === 0) this.#showProblem('Tasks belong to a project. Create or join one first.');
    if (options) showProjectOptions(this.#elements.select, options);
  }

  async #showPreview() {
    const { form, field, understood } = this.#elements;
    if (field.value.trim() === '') return understood.replaceChildren();
    const nodes = await readPreview(() => form);
    if (nodes) understood.replaceChildren(...nodes);
  }

  #submit() {
    const { field, form, select } = this.#elements;
    const name = field.value;
    if (name.trim() === '') return field.focus();
    if (name !== this.#submittedText) {
      const understood = String(new FormData(form).get('understood') ?? '');
      saveQueuedTask({ ...this.#draft, name, project: select.value, understood, problem: null });
      deleteDraft();
      this.#draft = createDraft(this.#draft.project);
      this.#submittedText = name;
      this.#showProblem('');
      sendTasks();
    }
    form.setAttribute('aria-busy', 'true');
    field.select();
  }

  updateAfterSending(added?: string) {
    const { form, field, status, understood, another } = this.#elements;
    const waiting = listWaitingTasks();
    if (!added || waiting.length === 0) form.removeAttribute('aria-busy');
    const isSettled = this.#submittedText !== '' && waiting.every(({ name }) => name !== this.#submittedText);
    if (isSettled) {
      if (field.value === this.#submittedText) {
        field.value = '';
        understood.replaceChildren();
      }
      this.#submittedText = '';
    }
    this.#showReturnedTask();
    if (added) status.textContent = added;
    if (!isSettled || field.value !== '') return;
    if (another.checked) field.focus();
    else this.#close();
  }

  /** Puts the next rejected task back in the field. Text that the person typed in the meantime is put back later. */
  #showReturnedTask() {
    const { field, select } = this.#elements;
    const { key, problem, project } = this.#draft;
    const isTyped = field.value.trim() !== '' && field.value !== this.#submittedText;
    const next = listReturnedTasks().find((each) => each.key !== key);
    if (!next || problem || (isTyped && next.problem === '')) return;
    if (isTyped)
      saveQueuedTask({ ...this.#draft, name: field.value, project: project || select.value, problem: '' });
    deleteDraft();
    this.#draft = next;
    field.value = next.name;
    if ([...select.options].some(({ value }) => value === next.project)) select.value = next.project;
    this.#showProblem(next.problem ?? '');
    void this.#showPreview();
    field.focus();
  }

  #showProblem(text: string) {
    const { problem, field, status } = this.#elements;
    problem.textContent = text;
    if (text) status.textContent = '';
    if (text) field.setAttribute('aria-invalid', 'true');
    else field.removeAttribute('aria-invalid');
  }

  #prepareAllFieldsLink() {
    const { more, field, select } = this.#elements;
    const address = new URL(more.href);
    address.searchParams.set('name', field.value);
    if (select.value) address.searchParams.set('project', select.value);
    more.href = address.href;
    deleteDraft();
    removeQueuedTask(this.#draft.key);
  }
}
