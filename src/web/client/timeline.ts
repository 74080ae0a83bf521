import './app.ts';
import { addDays, isCivilDate } from '../../kernel/dates/civil-date.ts';
import { enableInPlaceLinks } from './in-place-links.ts';
import { enablePickers } from './pickers.ts';
import { drawArrows, getDayWidth, watchTimelineSize } from './timeline-arrows.ts';
import { showToast } from './toast.ts';

/** Repeated key presses are saved as one move. */
const SAVE_DELAY_MS = 500;
const DRAG_PIXELS_MIN = 4;

/** `days` excludes `data-sent`, the days of earlier moves that are being saved. Their response removes `data-sent`. */
interface Move {
  bar: HTMLAnchorElement;
  days: number;
}

interface Press {
  readonly bar: HTMLAnchorElement;
  readonly pointerId: number;
  readonly x: number;
}

/** The move that isn't saved yet. */
let move: Move | null = null;
let press: Press | null = null;
let saveTimer: ReturnType<typeof setTimeout> | undefined;
/** The pointer that has dragged a bar. Its button is then released on the bar, which must not open the task. */
let dragPointerId: number | null = null;

enableInPlaceLinks();
enablePickers();
watchTimelineSize();
document.addEventListener('pointerdown', startPress);
addEventListener('pointermove', dragBar);
addEventListener('pointerup', endPress);
addEventListener('pointercancel', ({ pointerId }) => {
  if (pointerId === press?.pointerId) cancelMove();
});
addEventListener('click', handleClick, { capture: true });
// Uses the capture phase because the task panel also closes on Escape.
addEventListener('keydown', handleEscape, { capture: true });
document.addEventListener('keydown', handleKey);
document.addEventListener('focusout', () => {
  if (!press) saveMove();
});
addEventListener('pagehide', () => saveMove({ isLeaving: true }));
document.addEventListener('edgework:unsent', ({ detail: form }: CustomEventInit<HTMLFormElement>) => {
  if (form?.id !== 'move-bar') return;
  for (const bar of document.querySelectorAll<HTMLAnchorElement>('.bar[data-sent]')) {
    delete bar.dataset.sent;
    showMove(bar);
  }
});
document.addEventListener('edgework:morphed', () => {
  if (move) showMove(move.bar);
  watchTimelineSize();
});

function findBar(target: EventTarget | null): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest<HTMLAnchorElement>('.bar') : null;
}

const getSentDays = ({ dataset }: HTMLElement) => Number(dataset.sent ?? 0);

function showMove(bar: HTMLAnchorElement) {
  const isMoving = move?.bar === bar;
  const days = getSentDays(bar) + (isMoving ? (move?.days ?? 0) : 0);
  bar.style.transform = days === 0 ? '' : `translateX(${days * getDayWidth(bar)}px)`;
  bar.classList.toggle('moving', isMoving);
  if (isMoving) bar.dataset.dates = describeDates(bar, days);
  else delete bar.dataset.dates;
  drawArrows();
}

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});

function listDates({ dataset: { start, deadline } }: HTMLElement, days: number): string[] {
  return [start, deadline].flatMap((date) => (date === undefined ? [] : addDays(date, days)));
}

function describeDates(bar: HTMLElement, days: number): string {
  return listDates(bar, days)
    .map((date) => dateFormat.format(new Date(date)))
    .join(' – ');
}

function setDays(bar: HTMLAnchorElement, days: number) {
  if (move?.bar === bar && move.days === days) return;
  if (!listDates(bar, getSentDays(bar) + days).every(isCivilDate)) return;
  move = { bar, days };
  showMove(bar);
}

function saveMove({ isLeaving = false } = {}) {
  clearTimeout(saveTimer);
  const saved = move;
  move = null;
  if (!saved) return;
  if (saved.days !== 0) submitMove(saved, isLeaving);
  showMove(saved.bar);
}

function cancelMove() {
  clearTimeout(saveTimer);
  const canceled = move;
  move = null;
  press = null;
  if (canceled) showMove(canceled.bar);
}

function submitMove({ bar, days }: Move, isLeaving: boolean) {
  const form = document.getElementById('move-bar');
  const { id, start, deadline = '', snapshot = '', sent } = bar.dataset;
  if (!(form instanceof HTMLFormElement)) return;
  const total = getSentDays(bar) + days;
  form.action = form.action.replace(/\/\d+$/, `/${id}`);
  // The snapshot is outdated if an earlier move of this bar is still being saved.
  setField(form, 'shown', sent === undefined ? snapshot : '');
  setField(form, 'startDate', start && addDays(start, total));
  setField(form, 'deadline', addDays(deadline, total));
  form.toggleAttribute('data-leaving', isLeaving);
  bar.dataset.sent = String(total);
  form.requestSubmit();
}

function setField(form: HTMLFormElement, name: string, value: string | undefined) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) Object.assign(field, { value, disabled: value === undefined });
}

/** Only a mouse drags bars, because fingers and pens scroll the timeline. */
function startPress(event: PointerEvent) {
  const { target, button, pointerType, pointerId, clientX: x } = event;
  dragPointerId = null;
  const bar = findBar(target);
  if (!bar || button !== 0 || pointerType !== 'mouse') return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  saveMove();
  press = { bar, pointerId, x: x + getScrollLeft(bar) };
}

const getScrollLeft = (bar: Element) => bar.closest('.timeline')?.scrollLeft ?? 0;

function dragBar({ pointerId, clientX, buttons }: PointerEvent) {
  if (pointerId !== press?.pointerId) return;
  const { bar, x } = press;
  if (buttons % 2 === 0) {
    // The page missed the release, for example because a dialog was open.
    dragPointerId = null;
    cancelMove();
    return;
  }
  const distance = clientX + getScrollLeft(bar) - x;
  if (!move && Math.abs(distance) < DRAG_PIXELS_MIN) return;
  if (!move) bar.setPointerCapture(pointerId);
  dragPointerId = pointerId;
  setDays(bar, Math.round(distance / getDayWidth(bar)));
}

function endPress({ pointerId, button }: PointerEvent) {
  if (pointerId === press?.pointerId && button === 0) {
    press = null;
    saveMove();
  }
  // The click event follows immediately.
  setTimeout(() => {
    if (dragPointerId === pointerId) dragPointerId = null;
  });
}

function handleClick(event: MouseEvent) {
  if (dragPointerId !== null) event.preventDefault();
  // Opening the task can leave the page.
  else if (findBar(event.target)) saveMove({ isLeaving: true });
}

function handleEscape(event: KeyboardEvent) {
  if (event.key !== 'Escape' || !move) return;
  event.preventDefault();
  event.stopPropagation();
  const { bar } = move;
  cancelMove();
  showToast(describeDates(bar, getSentDays(bar)), { isShown: false });
}

function handleKey(event: KeyboardEvent) {
  const { key, shiftKey, target } = event;
  const bar = findBar(target);
  if (!bar || press || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (shiftKey && step) {
    event.preventDefault();
    moveByKey(bar, step);
  } else if (!shiftKey) {
    const by = { ArrowUp: -1, k: -1, ArrowDown: 1, j: 1 }[key];
    const bars = [...document.querySelectorAll<HTMLAnchorElement>('.bar')];
    const next = by && bars[bars.indexOf(bar) + by];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
}

function moveByKey(bar: HTMLAnchorElement, step: number) {
  if (move?.bar !== bar) saveMove();
  setDays(bar, (move?.days ?? 0) + step);
  showToast(bar.dataset.dates ?? '', { isShown: false });
  clearTimeout(saveTimer);
  saveTimer = setTimeout(() => saveMove(), SAVE_DELAY_MS);
}
