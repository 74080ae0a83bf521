import { formatCount, formatNumber } from '../../kernel/text/number-format.ts';
import { shorten } from '../../kernel/text/shorten.ts';
import { getList, getNumber, getRecord, getText, type JsonRecord, listRecords } from './parse-json.ts';
import type { SourceNote } from './source.ts';
import { isComment, listChecklists, type TrelloBoard } from './trello-board.ts';

/** Trello exports only this many of a board's newest actions, so older comments may be missing from the file. */
const ACTIONS_MAX = 1_000;
const NAMES_SHOWN_MAX = 10;

/** Describes data that the file lacks, and data in the file that won't be imported. */
export function describeMissingData(
  exported: JsonRecord,
  board: TrelloBoard,
  cards: readonly JsonRecord[],
): SourceNote[] {
  const actions = getList(exported, 'actions').length;
  const cause =
    actions < ACTIONS_MAX
      ? '.'
      : `, because Trello exports only the newest ${formatNumber(ACTIONS_MAX)} actions of a board.`;
  const countComments = (card: JsonRecord) => board.comments.get(getText(card, 'id'))?.length ?? 0;
  return [
    ...compareWithBadges(cards, { badge: 'comments', noun: 'comment', cause, count: countComments }),
    ...compareWithBadges(cards, {
      badge: 'checkItems',
      noun: 'checklist item',
      cause: '.',
      count: (card) =>
        listChecklists(board, card).reduce((sum, each) => sum + listRecords(each, 'checkItems').length, 0),
    }),
    ...compareWithBadges(cards, {
      badge: 'attachments',
      noun: 'attachment',
      cause: '.',
      count: (card) => listRecords(card, 'attachments').length,
    }),
    ...describeOmittedData(exported, board, cards),
  ];
}

interface BadgeComparison {
  readonly badge: string;
  readonly noun: string;
  readonly cause: string;
  readonly count: (card: JsonRecord) => number;
}

/** Each card contains the number of its items in Trello, so a lower count in the file means that some are missing. */
function compareWithBadges(
  cards: readonly JsonRecord[],
  { badge, noun, cause, count }: BadgeComparison,
): SourceNote[] {
  const missing = cards.flatMap((card, index) => {
    const expected = getNumber(getRecord(card, 'badges'), badge) ?? 0;
    const found = count(card);
    return expected > found ? [{ row: index + 1, expected, found }] : [];
  });
  if (missing.length === 0) return [];
  const total = missing.reduce((sum, { expected, found }) => sum + expected - found, 0);
  return [
    {
      row: null,
      text: `Not in the file: ${formatCount(total, noun)} on ${formatCount(missing.length, 'card')}${cause}`,
    },
    ...missing.map(({ row, expected, found }) => ({
      row,
      text: `Has ${formatCount(expected, noun)} in Trello, but ${formatNumber(found)} in the file.`,
    })),
  ];
}

function describeOmittedData(
  exported: JsonRecord,
  board: TrelloBoard,
  cards: readonly JsonRecord[],
): SourceNote[] {
  const actions = listRecords(exported, 'actions');
  const ids = new Set(cards.map((card) => getText(card, 'id')));
  const strays = [...board.comments].reduce(
    (sum, [card, { length }]) => sum + (ids.has(card) ? 0 : length),
    0,
  );
  const others = actions.filter((action) => !isComment(action)).length;
  const used = new Set(cards.map((card) => getText(card, 'idList')));
  const unlisted = cards.filter((card) => !board.lists.has(getText(card, 'idList'))).length;
  const empty = [...board.lists].flatMap(([id, { name }]) => (used.has(id) ? [] : [name]));
  const files = cards.reduce((sum, card) => sum + listRecords(card, 'attachments').length, 0);
  const plugins = cards.filter((card) => getList(card, 'pluginData').length > 0).length;
  const texts = [
    files > 0 &&
      `${formatCount(files, 'attachment')} kept as links. Files that were uploaded to Trello can only be opened there.`,
    strays > 0 && `Left out: ${formatCount(strays, 'comment')} on cards that aren't in the file.`,
    others > 0 &&
      `Left out: ${formatCount(others, 'activity record')} other than comments, such as card moves.`,
    unlisted > 0 &&
      `Imported without a status: ${formatCount(unlisted, 'card')} in lists that aren't in the file.`,
    empty.length > 0 && `Left out: ${formatCount(empty.length, 'list')} without cards (${joinNames(empty)}).`,
    getText(exported, 'desc') !== '' && "Left out: the board's description.",
    plugins > 0 && `Left out: Power-Up data of ${formatCount(plugins, 'card')}.`,
  ];
  return texts.flatMap((text) => (text === false ? [] : [{ row: null, text }]));
}

function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN_MAX).map((name) => shorten(name, 29));
  return [
    ...shown,
    ...(names.length > NAMES_SHOWN_MAX ? [`${names.length - NAMES_SHOWN_MAX} more`] : []),
  ].join(', ');
}
