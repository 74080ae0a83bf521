import { addDays, getMonthRange, getWeekRange } from '../../../kernel/dates/civil-date.ts';
import { formatDate } from '../../components/format-date.ts';

const DAYS_PER_WEEK = 7;
const WEEKS_SHOWN = 6;

interface MonthGridOptions {
  readonly today: string;
  readonly current: string | null;
  readonly choose: (date: string) => void;
}

export class MonthGrid {
  readonly element = document.createElement('div');
  readonly #options: MonthGridOptions;
  readonly #title = document.createElement('span');
  readonly #table = document.createElement('table');
  #focused: string;

  constructor(options: MonthGridOptions) {
    this.#options = options;
    this.#focused = options.current ?? options.today;
    const head = document.createElement('div');
    head.className = 'month-head';
    this.#title.setAttribute('aria-live', 'polite');
    head.append(
      this.#buildMonthButton('‹', 'Previous month', -1),
      this.#title,
      this.#buildMonthButton('›', 'Next month', 1),
    );
    this.#table.setAttribute('role', 'grid');
    this.element.className = 'month';
    this.element.append(head, this.#table);
    this.#table.addEventListener('keydown', (event) => this.#handleKey(event));
    this.#table.addEventListener('click', ({ target }) => {
      const { date } = target instanceof HTMLElement ? target.dataset : {};
      if (date) options.choose(date);
    });
    this.#render();
  }

  show(date: string) {
    this.#focused = date;
    this.#render();
  }

  #buildMonthButton(text: string, label: string, months: number): HTMLButtonElement {
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', className: 'quiet', textContent: text, ariaLabel: label });
    button.addEventListener('click', () => this.show(addMonths(this.#focused, months)));
    return button;
  }

  #handleKey(event: KeyboardEvent) {
    const to = getDateForKey(event.key, this.#focused);
    if (to === null) return;
    event.preventDefault();
    this.show(to);
    this.#table.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }

  #render() {
    const { from } = getMonthRange(this.#focused);
    const monday = getWeekRange(from).from;
    this.#title.textContent = formatDate(from, 'month');
    this.#table.ariaLabel = this.#title.textContent;
    const days = Array.from({ length: WEEKS_SHOWN * DAYS_PER_WEEK }, (_, index) => addDays(monday, index));
    const names = document.createElement('tr');
    for (const day of days.slice(0, DAYS_PER_WEEK)) {
      const name = document.createElement('th');
      name.scope = 'col';
      name.textContent = formatDate(day, 'weekday').slice(0, 2);
      names.append(name);
    }
    const weeks = Array.from({ length: WEEKS_SHOWN }, (_, week) => {
      const row = document.createElement('tr');
      row.append(
        ...days.slice(week * DAYS_PER_WEEK, (week + 1) * DAYS_PER_WEEK).map((day) => this.#renderDay(day)),
      );
      return row;
    });
    this.#table.replaceChildren(names, ...weeks);
  }

  #renderDay(date: string): HTMLTableCellElement {
    const { today, current } = this.#options;
    const cell = document.createElement('td');
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', textContent: String(Number(date.slice(8))) });
    button.ariaLabel = formatDate(date, 'long');
    button.dataset.date = date;
    button.tabIndex = date === this.#focused ? 0 : -1;
    button.classList.toggle('other', date.slice(0, 7) !== this.#focused.slice(0, 7));
    if (date === today) button.ariaCurrent = 'date';
    cell.ariaSelected = String(date === current);
    cell.append(button);
    return cell;
  }
}

function getDateForKey(key: string, from: string): string | null {
  const week = getWeekRange(from);
  if (key === 'ArrowLeft') return addDays(from, -1);
  if (key === 'ArrowRight') return addDays(from, 1);
  if (key === 'ArrowUp') return addDays(from, -DAYS_PER_WEEK);
  if (key === 'ArrowDown') return addDays(from, DAYS_PER_WEEK);
  if (key === 'Home') return week.from;
  if (key === 'End') return week.to;
  if (key === 'PageUp') return addMonths(from, -1);
  return key === 'PageDown' ? addMonths(from, 1) : null;
}

/** If the target month is too short, returns its last day. */
function addMonths(date: string, months: number): string {
  const { from, to } = getMonthRange(date);
  const month = getMonthRange(months > 0 ? addDays(to, 1) : addDays(from, -1));
  const sameDay = addDays(month.from, Number(date.slice(8)) - 1);
  return sameDay < month.to ? sameDay : month.to;
}
