import { GOOD_RANK, rank, splitWords } from '../../pages/search/rank.ts';
import { getWorkspaceBase } from '../screen-address.ts';
import { buildIcon, type Group, groups, type Item } from './item.ts';

const LOCAL_SHOWN_MAX = 8;
const WEAK_SHOWN_MAX = 4;
const MATCHES_SHOWN_MAX = 6;

export interface ShownGroup {
  readonly title: Group | '';
  readonly items: readonly Item[];
}

export function arrangeAll(items: readonly Item[]): ShownGroup[] {
  return groups
    .map((title) => ({ title, items: items.filter(({ group }) => group === title) }))
    .filter((each) => each.items.length > 0);
}

/**
 * Lists the best local matches first, followed by the server's results, so that a response never moves the item that
 * Enter would open.
 * @param found null if the server hasn't responded
 */
export function arrangeMatches(
  text: string,
  local: readonly Item[],
  found: readonly Item[] | null,
): ShownGroup[] {
  const ranked = local
    .map((item) => ({ item: toMatch(item), points: rank(text, item) }))
    .filter(({ points }) => points > 0)
    .toSorted((one, other) => other.points - one.points);
  const good = ranked
    .filter(({ points }) => points >= GOOD_RANK)
    .slice(0, LOCAL_SHOWN_MAX)
    .map(({ item }) => item);
  const weak = ranked.filter(({ points }) => points < GOOD_RANK).slice(0, WEAK_SHOWN_MAX);
  const shown = new Set(good.map(({ address }) => toPath(address)));
  const fromServer = rankFound(
    text,
    (found ?? []).filter(({ address }) => !shown.has(toPath(address))),
  );
  const rest = found === null ? [] : weak.map(({ item }) => item);
  const all = [...good, ...fromServer, ...rest];
  const titles = [...new Set(all.map(({ group }) => group))];
  return [
    ...titles.map((title) => ({ title, items: all.filter(({ group }) => group === title) })),
    { title: '', items: [buildSearchItem(text)] },
  ];
}

/** Keeps results that don't match by name, because the server also searches other fields. */
function rankFound(text: string, found: readonly Item[]): Item[] {
  const numbers = splitWords(text).map((word) => `#${word}`);
  const isNumbered = ({ note }: Item) => numbers.length === 1 && note?.endsWith(` ${numbers[0]}`) === true;
  const points = new Map(found.map((item) => [item, isNumbered(item) ? 101 : rank(text, item)]));
  const sorted = found.toSorted((one, other) => (points.get(other) ?? 0) - (points.get(one) ?? 0));
  return groups.flatMap((title) => sorted.filter(({ group }) => group === title).slice(0, MATCHES_SHOWN_MAX));
}

function toMatch(item: Item): Item {
  if (item.group === 'Recent') return { ...item, group: 'Tasks' };
  return ['Create', 'Go to', 'Actions', 'This page', 'Task'].includes(item.group)
    ? { ...item, group: 'Commands' }
    : item;
}

function toPath(address: string | undefined): string | null {
  if (address === undefined) return null;
  const { pathname, search } = new URL(address, location.href);
  return pathname + search;
}

function buildSearchItem(text: string): Item {
  const address = `${getWorkspaceBase()}/search?${new URLSearchParams({ q: text })}`;
  return { group: 'Go to', label: `Search for “${text}”`, mark: buildIcon('search'), address };
}
