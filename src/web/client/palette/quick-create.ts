import { QuickAddQueue } from '../quick-add.ts';
import { readPreview } from '../quick-add-preview.ts';
import { isSignInPage } from '../request-page.ts';
import { showToast } from '../toast.ts';
import { deleteDraft, type QuickCreateDraft, readDraft, saveDraft } from './quick-create-draft.ts';
import { buildQuickCreate, showProjects } from './quick-create-elements.ts';
import { findScreenProject } from './screen-project.ts';

const DEBOUNCE_MS = 120;
const LOST_MESSAGE = "Couldn't reach the server. Your text is still here. Try again.";

let dialog: QuickCreate | null = null;

/** Only one dialog is open at a time. */
export function openQuickCreate(typed: string, isEntered: boolean) {
  if (dialog) dialog.focus();
  else dialog = new QuickCreate(typed, isEntered);
}

/** Creates tasks in the background. What is typed survives until the server has created it. */
class QuickCreate {
  readonly #elements;
  readonly #queue = new QuickAddQueue();
  readonly #opener = document.activeElement;
  #draft: QuickCreateDraft;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #projectsLoaded: Promise<boolean>;

  constructor(typed: string, isEntered: boolean) {
    this.#draft = readDraft();
    this.#elements = buildQuickCreate(this.#draft.name + typed, findScreenProject(this.#draft.project));
    this.#listen();
    const { dialog: element, field } = this.#elements;
    document.body.append(element);
    element.showModal();
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    this.#projectsLoaded = this.#loadProjects();
    if (typed) this.#save();
    if (field.value) void this.#preview();
    if (isEntered) this.#elements.form.requestSubmit();
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
      // The shortcuts of the page don't apply here.
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
      if (key !== 'Enter' || isComposing || target !== field) return;
      event.preventDefault();
      if (shiftKey) another.checked = true;
      form.requestSubmit();
    });
    element.addEventListener('click', ({ target }) => {
      if (target === element) element.close();
    });
    element.addEventListener('close', () => {
      clearTimeout(this.#timer);
      element.remove();
      dialog = null;
      if (this.#opener instanceof HTMLElement) this.#opener.focus({ preventScroll: true });
    });
  }

  #change() {
    this.#showProblem('');
    this.#save();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#preview(), DEBOUNCE_MS);
  }

  #save() {
    this.#draft = { ...this.#draft, name: this.#elements.field.value };
    saveDraft(this.#draft);
  }

  async #loadProjects(): Promise<boolean> {
    const { form, select } = this.#elements;
    const answer = await fetch(form.action, { headers: { Accept: 'text/html' } }).catch(() => null);
    const html = answer?.ok && !answer.redirected ? await answer.text().catch(() => null) : null;
    if (html === null) return false;
    const page = new DOMParser().parseFromString(html, 'text/html');
    const options = [...page.querySelectorAll<HTMLOptionElement>('main select[name="projectId"] option')];
    if (options.length === 0) this.#showProblem('Tasks belong to a project. Create or join one first.');
    showProjects(select, options);
    return true;
  }

  /** A late answer can't replace the preview of what was typed later. */
  async #preview() {
    const { form, field, understood } = this.#elements;
    if (field.value.trim() === '') return understood.replaceChildren();
    const nodes = await readPreview(() => form);
    if (nodes) understood.replaceChildren(...nodes);
  }

  #submit() {
    const { field, form } = this.#elements;
    const text = field.value;
    if (text.trim() === '') return field.focus();
    const isRepeated = this.#queue.sent === text;
    if (this.#queue.send(text) && !isRepeated) void this.#send(text);
    form.setAttribute('aria-busy', 'true');
    field.select();
  }

  async #send(text: string) {
    const { form, select } = this.#elements;
    const body = new URLSearchParams(new FormData(form) as unknown as URLSearchParams);
    if (!select.value && !(await this.#projectsLoaded)) this.#projectsLoaded = this.#loadProjects();
    await this.#projectsLoaded;
    body.set('projectId', select.value);
    body.set('name', text);
    body.set('once', this.#draft.key);
    body.set('csrf', document.querySelector<HTMLInputElement>('.sign-out [name="csrf"]')?.value ?? '');
    const answer = await fetch(form.action, { method: 'POST', body, headers: { Accept: 'text/html' } }).catch(
      () => null,
    );
    const html = (await answer?.text().catch(() => null)) ?? null;
    form.removeAttribute('aria-busy');
    if (!answer || html === null) {
      document.dispatchEvent(new CustomEvent('edgework:lost'));
      return this.#refuse(text, LOST_MESSAGE);
    }
    if (isSignInPage(answer)) return this.#refuse(text, "You're signed out. Your text is still here.");
    const page = new DOMParser().parseFromString(html, 'text/html');
    if (answer.ok) return this.#accept(text, page);
    const problem = page.querySelector('main :is(.problem, [role="alert"])')?.textContent;
    this.#refuse(text, problem || 'Something went wrong on our end. Your text is still here.');
  }

  #accept(text: string, page: Document) {
    const { dialog: element, form, field } = this.#elements;
    const isOpen = element.isConnected;
    this.#queue.accept({ form, field });
    if (isOpen || readDraft().name === text) deleteDraft();
    this.#draft = { ...readDraft(), project: this.#draft.project };
    if (isOpen) this.#continue(page);
    document.dispatchEvent(new CustomEvent('edgework:created', { detail: page }));
  }

  #continue(page: Document) {
    const { dialog: element, form, field, status, understood, another } = this.#elements;
    field.value = '';
    understood.replaceChildren();
    this.#queue.sendNext({ form, field });
    if (field.value) this.#change();
    else if (!another.checked) element.close();
    else field.focus();
    status.textContent = page.getElementById('flash-message')?.firstChild?.textContent ?? 'Added';
  }

  #refuse(text: string, problem: string) {
    const { dialog: element, form, field } = this.#elements;
    if (!element.isConnected) {
      showToast(`Couldn't create “${text}”. Press c to try again.`, { isProblem: true });
      return;
    }
    this.#queue.returnRejected({ form, field }, text);
    this.#save();
    this.#showProblem(problem);
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
  }
}
