import { getScreenUrl } from './screen-url.ts';

export const PANEL_CONTENT_ID = 'panel-content';

/** The screen, or the content of the task panel next to it. Each region contains a page with its own URL. */
export type Region = HTMLElement;

export const getScreen = () => document.getElementById('content') as Region;

export const findPanelContent = (): Region | null => document.getElementById(PANEL_CONTENT_ID);

export const listRegions = () => [...document.querySelectorAll<Region>(`#content, #${PANEL_CONTENT_ID}`)];

export function findRegion(node: Element): Region {
  return node.closest<Region>(`#${PANEL_CONTENT_ID}`) ?? getScreen();
}

export function isPanel(region: Region): boolean {
  return region.id === PANEL_CONTENT_ID;
}

export function getRegionUrl({ dataset }: Region): string {
  return dataset.address ?? getScreenUrl();
}

export const getRegionPath = (region: Region) => getRegionUrl(region).split('?')[0];
