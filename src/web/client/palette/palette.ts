import { openPalette } from './palette-dialog.ts';
import { openQuickCreate, sendTasks } from './quick-create.ts';

export { sendTasks };

let stylesLoaded: Promise<unknown> | null = null;

export function openDialog(name: string | undefined, typed: string, isEntered: boolean) {
  if (name === 'quick-create') openQuickCreate(typed, isEntered);
  else openPalette(typed, isEntered);
}

export function loadStyles(): Promise<unknown> {
  stylesLoaded ??= requestStyles();
  return stylesLoaded;
}

function requestStyles(): Promise<unknown> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = document.getElementById('menu')?.dataset.paletteStyles ?? '';
  const { promise, resolve } = Promise.withResolvers<unknown>();
  link.onload = resolve;
  link.onerror = resolve;
  document.head.append(link);
  return promise;
}
