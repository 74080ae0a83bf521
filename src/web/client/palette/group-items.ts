import { GOOD_RANK_MIN, getRank, splitWords } from '../../pages/search/rank.ts';
import { getWorkspaceBase } from '../screen-url.ts';
import { buildIcon, type PaletteGroup, type PaletteItem, paletteGroups } from './palette-item.ts';

const GOOD_MATCHES_SHOWN_MAX = 8;
const WEAK_MATCHES_SHOWN_MAX = 4;
const SERVER_RESULTS_PER_GROUP_MAX = 6;

export interface ItemGroup {
  readonly title: PaletteGroup | '';
  readonly items: readonly PaletteItem[];
}

export function groupItems(items: readonly PaletteItem[]): ItemGroup[] {
  return paletteGroups
    .map((title) => ({ title, items: items.filter(({ group }) => group === title) }))
    .filter((each) => each.items.length > 0);
}

/**
 * Lists the best local matches first, followed by the server's results, so that a response never moves the item that
 * Enter would open.
 * @param serverResults null if the server hasn't responded
 */
export function groupMatches(
  text: string,
  local: readonly PaletteItem[],
  serverResults: readonly PaletteItem[] | null,
): ItemGroup[] {
  const ranked = local
    .map((item) => ({ item: regroupMatch(item), points: getRank(text, item) }))
    .filter(({ points }) => points > 0)
    .toSorted((one, other) => other.points - one.points);
  const goodMatches = ranked
    .filter(({ points }) => points >= GOOD_RANK_MIN)
    .slice(0, GOOD_MATCHES_SHOWN_MAX)
    .map(({ item }) => item);
  const weakMatches = ranked.filter(({ points }) => points < GOOD_RANK_MIN).slice(0, WEAK_MATCHES_SHOWN_MAX);
  const goodMatchPaths = new Set(goodMatches.map(({ address }) => toPath(address)));
  const fromServer = rankServerResults(
    text,
    (serverResults ?? []).filter(({ address }) => !goodMatchPaths.has(toPath(address))),
  );
  const rest = serverResults === null ? [] : weakMatches.map(({ item }) => item);
  const all = [...goodMatches, ...fromServer, ...rest];
  const titles = [...new Set(all.map(({ group }) => group))];
  return [
    ...titles.map((title) => ({ title, items: all.filter(({ group }) => group === title) })),
    { title: '', items: [buildSearchItem(text)] },
  ];
}

/** Keeps results that don't match by name, because the server also searches other fields. */
function rankServerResults(text: string, found: readonly PaletteItem[]): PaletteItem[] {
  const numbers = splitWords(text).map((word) => `#${word}`);
  const matchesNumber = ({ note }: PaletteItem) =>
    numbers.length === 1 && note?.endsWith(` ${numbers[0]}`) === true;
  const points = new Map(found.map((item) => [item, matchesNumber(item) ? 101 : getRank(text, item)]));
  const sorted = found.toSorted((one, other) => (points.get(other) ?? 0) - (points.get(one) ?? 0));
  return paletteGroups.flatMap((title) =>
    sorted.filter(({ group }) => group === title).slice(0, SERVER_RESULTS_PER_GROUP_MAX),
  );
}

function regroupMatch(item: PaletteItem): PaletteItem {
  if (item.group === 'Recent') return { ...item, group: 'Tasks' };
  return ['Create', 'Go to', 'Actions', 'This page', 'Task', 'Selected tasks'].includes(item.group)
    ? { ...item, group: 'Commands' }
    : item;
}

function toPath(address: string | undefined): string | null {
  if (address === undefined) return null;
  const { pathname, search } = new URL(address, location.href);
  return pathname + search;
}

function buildSearchItem(text: string): PaletteItem {
  const address = `${getWorkspaceBase()}/search?${new URLSearchParams({ q: text })}`;
  return { group: 'Go to', label: `Search for “${text}”`, mark: buildIcon('search'), address };
}
