import { getScreenUrl } from './screen-url.ts';

const FLASH_MESSAGE_DURATION_MS = 12_000;
/** Must match `UNDO_MS` in src/kernel/removals/undo-window.ts. */
const UNDO_WINDOW_MS = 600_000;
const UNDO_STEPS_MAX = 10;
const UNDO_STEPS_KEY = `edgework:undo:${location.pathname.split('/')[2]}`;
let timer: ReturnType<typeof setTimeout> | undefined;

type UndoStep = readonly [html: string, at: number];

let currentMessage = '';

const getMessageElement = () => document.getElementById('flash-message');

function readUndoSteps(): UndoStep[] {
  try {
    const steps: UndoStep[] = JSON.parse(sessionStorage.getItem(UNDO_STEPS_KEY) ?? '[]');
    return steps.filter(([, at]) => at > Date.now() - UNDO_WINDOW_MS);
  } catch {
    return [];
  }
}

function storeUndoSteps(steps: readonly UndoStep[]) {
  try {
    sessionStorage.setItem(UNDO_STEPS_KEY, JSON.stringify(steps.slice(-UNDO_STEPS_MAX)));
  } catch {
    // Without storage, people can undo only the action of the current message.
  }
}

export function enableFlashMessage() {
  document.addEventListener(
    'submit',
    ({ target }) => {
      if (!currentMessage || !(target instanceof HTMLFormElement)) return;
      if (!getMessageElement()?.contains(target)) return;
      // The message can come from another page or from the task panel, so this sets the page to return to.
      target.querySelector('[name=back]')?.setAttribute('value', getScreenUrl());
      if (readUndoSteps().at(-1)?.[0] === currentMessage) storeUndoSteps(readUndoSteps().slice(0, -1));
      currentMessage = '';
    },
    { capture: true },
  );
  document.addEventListener('edgework:created', ({ detail }: CustomEventInit<Document>) => {
    if (detail) showFlashMessage(detail);
    document.dispatchEvent(new CustomEvent('edgework:stale'));
  });
  rememberMessage();
}

export function showFlashMessage(next: Document) {
  getMessageElement()?.replaceChildren(...(next.getElementById('flash-message')?.childNodes ?? []));
  rememberMessage();
}

function rememberMessage() {
  const messageElement = getMessageElement();
  currentMessage = messageElement?.querySelector('form') ? messageElement.innerHTML : '';
  if (currentMessage) storeUndoSteps([...readUndoSteps(), [currentMessage, Date.now()]]);
  hideMessageLater();
}

function hideMessageLater() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (getMessageElement()?.matches(':hover, :focus-within')) hideMessageLater();
    else {
      getMessageElement()?.replaceChildren();
      currentMessage = '';
    }
  }, FLASH_MESSAGE_DURATION_MS);
}

export function undoLatest() {
  const messageElement = getMessageElement();
  const [html] = readUndoSteps().at(-1) ?? [];
  if (!currentMessage && messageElement && html) {
    messageElement.innerHTML = html;
    currentMessage = html;
  }
  if (currentMessage) messageElement?.querySelector('form')?.requestSubmit();
}
