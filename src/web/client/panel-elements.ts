import { buildResizeHandle } from './panel-width.ts';

let styles: Promise<unknown> | null = null;

/** Boards load the styles for tasks only when someone opens a task. */
export function loadPanelStyles(): Promise<unknown> {
  const { panelStyles } = document.body.dataset;
  if (panelStyles === undefined) return Promise.resolve();
  styles ??= new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.onload = resolve;
    link.onerror = resolve;
    link.href = panelStyles;
    document.head.append(link);
  });
  return styles;
}

interface PanelActions {
  readonly step: (by: 1 | -1) => void;
  readonly close: () => void;
}

export function buildPanel({ step, close }: PanelActions): HTMLElement {
  const panel = document.createElement('div');
  panel.id = 'task-panel';
  panel.role = 'dialog';
  panel.tabIndex = -1;
  const bar = document.createElement('div');
  bar.className = 'panel-bar';
  const previous = buildButton('Previous task', 'k', 'chevron-up', () => step(-1));
  const next = buildButton('Next task', 'j', 'chevron-down', () => step(1));
  previous.dataset.step = '-1';
  next.dataset.step = '1';
  const link = document.createElement('a');
  link.className = 'button quiet';
  link.dataset.fullPage = '';
  link.title = 'Open full page (f)';
  link.setAttribute('aria-keyshortcuts', 'f');
  // Keeps the screen's script from opening the task in the panel again.
  link.addEventListener('click', (event) => event.stopPropagation());
  link.append(buildIcon('maximize-2'), 'Open full page');
  bar.append(
    previous,
    next,
    link,
    buildButton('Close', 'Escape', 'x', () => close()),
  );
  panel.append(buildResizeHandle(), bar);
  return panel;
}

function buildButton(label: string, key: string, icon: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.ariaLabel = label;
  button.title = `${label} (${key === 'Escape' ? 'Esc' : key})`;
  button.setAttribute('aria-keyshortcuts', key);
  button.append(buildIcon(icon));
  button.addEventListener('click', onClick);
  return button;
}

/** Clones any icon on the page, because its markup contains the URL of the icon file. */
function buildIcon(name: string): Element {
  const icon = document.querySelector('svg.icon')?.cloneNode(true) as Element;
  const use = icon.querySelector('use');
  use?.setAttribute('href', `${use.getAttribute('href')?.split('#')[0]}#${name}`);
  return icon;
}
