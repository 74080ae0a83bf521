const SVG = 'http://www.w3.org/2000/svg';
/** The minimum length of an arrow's first and last part. */
const END_PX = 6;

let observer: ResizeObserver | null = null;

/** Draws the arrows, and draws them again when the table's size changes, for example because a panel opens. */
export function watchTimelineSize() {
  observer ??= new ResizeObserver(drawArrows);
  observer.disconnect();
  const table = document.querySelector('.timeline > table');
  if (table) observer.observe(table);
}

export function getDayWidth(element: Element): number {
  const table = element.closest('table');
  return table ? (table.offsetWidth - getNamesWidth(table)) / Number(table.dataset.days) : 0;
}

function getNamesWidth(table: HTMLTableElement): number {
  return table.querySelector('th')?.offsetWidth ?? 0;
}

/** Draws a line at today, and an arrow from each task to the tasks that it blocks. */
export function drawArrows() {
  const area = document.querySelector<HTMLElement>('.timeline');
  const table = area?.querySelector('table');
  area?.querySelector(':scope > svg')?.remove();
  if (!area || !table) return;
  const paths = [buildTodayLine(table), ...buildArrows(table)].filter((path) => path !== null);
  if (paths.length === 0) return;
  const svg = document.createElementNS(SVG, 'svg');
  for (const [name, value] of Object.entries({ 'aria-hidden': 'true', width: '1', height: '1' }))
    svg.setAttribute(name, value);
  svg.append(...paths);
  area.append(svg);
}

function buildPath(route: string, className: string): SVGPathElement {
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', route);
  path.setAttribute('class', className);
  return path;
}

function buildTodayLine(table: HTMLTableElement): SVGPathElement | null {
  const { today } = table.dataset;
  if (today === undefined) return null;
  const x = getNamesWidth(table) + (Number(today) + 0.5) * getDayWidth(table);
  return buildPath(`M${x} ${table.tHead?.offsetHeight ?? 0}V${table.offsetHeight}`, 'today');
}

function buildArrows(table: HTMLTableElement): SVGPathElement[] {
  const origin = table.getBoundingClientRect();
  const toPoint = (bar: Element, side: 'left' | 'right') => {
    const box = bar.getBoundingClientRect();
    return { x: box[side] - origin.left, y: (box.top + box.bottom) / 2 - origin.top };
  };
  return [...table.querySelectorAll<HTMLElement>('.bar[data-blockers]')].flatMap((blocked) => {
    const ids = blocked.dataset.blockers?.split(' ') ?? [];
    const rowHeight = blocked.closest('tr')?.offsetHeight ?? 0;
    return ids.flatMap((id) => {
      const blocker = document.getElementById(`bar-${id}`);
      if (!blocker) return [];
      const route = buildRoute(toPoint(blocker, 'right'), toPoint(blocked, 'left'), rowHeight);
      return [buildPath(`${route}m-4 -4l4 4l-4 4`, 'arrow')];
    });
  });
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Without enough space between the bars, the arrow goes back along the edge of the blocked task's row. */
function buildRoute(from: Point, to: Point, rowHeight: number): string {
  if (to.x - 2 * END_PX >= from.x) return `M${from.x} ${from.y}h${END_PX}V${to.y}H${to.x}`;
  const edge = to.y + (from.y < to.y ? -rowHeight : rowHeight) / 2;
  return `M${from.x} ${from.y}h${END_PX}V${edge}H${to.x - 2 * END_PX}V${to.y}H${to.x}`;
}
