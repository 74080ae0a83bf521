import type { Rankable } from '../../pages/search/rank.ts';

export const paletteGroups = [
  'Selected tasks',
  'Recent',
  'Task',
  'This page',
  'Commands',
  'Tasks',
  'Projects',
  'Filters',
  'People',
  'Create',
  'Go to',
  'Actions',
] as const;
export type PaletteGroup = (typeof paletteGroups)[number];

export interface PaletteItem extends Rankable {
  readonly group: PaletteGroup;
  readonly note?: string | undefined;
  readonly mark?: Element | null;
  readonly key?: string | undefined;
  readonly address?: string;
  readonly run?: () => void;
}

export function buildIcon(name: string): Element | null {
  const [sprite] = document.querySelector('#menu .icon use')?.getAttribute('href')?.split('#') ?? [];
  const icon = document.querySelector('#menu .icon')?.cloneNode(true) as Element | undefined;
  icon?.querySelector('use')?.setAttribute('href', `${sprite}#${name}`);
  return icon ?? null;
}

export function buildMark(className: string, text = ''): Element {
  const mark = document.createElement('span');
  mark.className = className;
  mark.textContent = text;
  mark.ariaHidden = 'true';
  return mark;
}
