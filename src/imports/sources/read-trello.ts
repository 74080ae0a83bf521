import { type AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import { shorten } from '../../kernel/text/shorten.ts';
import { getList, getNumber, getText, isRecord, isTrue, type JsonRecord, listRecords } from './parse-json.ts';
import { ROWS_MAX } from './read-csv.ts';
import { type ColumnUse, joinItems, type Source, type SourceNote } from './source.ts';
import { indexBoard, type TrelloBoard } from './trello-board.ts';
import { listTrelloColumns } from './trello-columns.ts';
import { describeMissingData } from './trello-notes.ts';

const EXPORT_INSTRUCTIONS =
  "In Trello, open the board's menu, choose “Print, export, and share”, then “Export as JSON”.";

/**
 * Reads the JSON export of a Trello board. The export also contains secret email addresses of the board and its cards,
 * which aren't read.
 */
export function readTrello(file: unknown, uses?: readonly ColumnUse[]): Source {
  const exported = requireBoard(file);
  const listed = listRecords(exported, 'cards').filter((card) => getText(card, 'id') !== '');
  if (listed.length === 0) throw invalidRequestError('The Trello board has no cards.');
  if (listed.length > ROWS_MAX) {
    throw invalidRequestError(
      `The board must have at most ${formatNumber(ROWS_MAX)} cards; it has ${formatNumber(listed.length)}. Move some cards to another board, and import both boards.`,
    );
  }
  const board = indexBoard(exported);
  const cards = orderCards(board, listed);
  const columns = listTrelloColumns(board, cards);
  const notes: SourceNote[] = [
    ...describeInvalidCards(getList(exported, 'cards').length - listed.length),
    ...describeMissingData(exported, board, cards),
  ];
  return {
    columns: columns.map(({ read: _, ...column }, index) => ({
      ...column,
      use: uses ? (uses[index] ?? 'text') : column.use,
    })),
    tasks: cards.map((card, index) => {
      const values = columns.map(({ read }) => read(card));
      const lists = new Map(
        values.flatMap((value, column) =>
          typeof value !== 'string' && value.length > 0 ? [[column, value] as const] : [],
        ),
      );
      const cells = values.map((value) => (typeof value === 'string' ? value : joinItems(value)));
      return { row: index + 1, cells, lists };
    }),
    notes,
    ...toSourceName(exported),
    isOrdered: true,
    usernames: board.usernames,
  };
}

function toSourceName(board: JsonRecord): Pick<Source, 'name'> {
  const id = getText(board, 'id');
  return /^\w{1,40}$/.test(id) ? { name: `trello:${id}` } : {};
}

function orderCards({ listPositions }: TrelloBoard, cards: readonly JsonRecord[]): JsonRecord[] {
  const getListPosition = (card: JsonRecord) => listPositions.get(getText(card, 'idList')) ?? Infinity;
  const getPosition = (card: JsonRecord) => getNumber(card, 'pos') ?? Number.MAX_VALUE;
  const compare = (one: number, other: number) => (one === other ? 0 : one < other ? -1 : 1);
  return cards.toSorted(
    (one, other) =>
      compare(getListPosition(one), getListPosition(other)) || compare(getPosition(one), getPosition(other)),
  );
}

function describeInvalidCards(count: number): SourceNote[] {
  if (count === 0) return [];
  return [{ row: null, text: `${count} entries in the list of cards aren't cards, and were left out.` }];
}

function requireBoard(file: unknown): JsonRecord {
  if (Array.isArray(file)) throw unsupportedFileError('a JSON list');
  if (!isRecord(file)) throw unsupportedFileError('a single JSON value');
  const name = shorten(getText(file, 'name') || getText(file, 'displayName'), 99);
  if (getText(file, '_format').startsWith('wekan')) {
    throw invalidRequestError('The file is a WeKan board in JSON. Export the board as CSV instead.');
  }
  if (getText(file, 'idList') !== '') throw unsupportedFileError(`only the Trello card '${name}'`);
  if (getText(file, 'idBoard') !== '') throw unsupportedFileError(`only part of a Trello board ('${name}')`);
  if (Array.isArray(file.lists) && Array.isArray(file.cards)) return file;
  if (getText(file, 'displayName') !== '') throw unsupportedFileError(`the Trello workspace '${name}'`);
  if (isTrue(file, 'closed') || getText(file, 'shortLink') !== '') {
    throw unsupportedFileError(`the Trello board '${name}' without its cards`);
  }
  throw unsupportedFileError('JSON from another product');
}

function unsupportedFileError(what: string): AppError {
  return invalidRequestError(
    `The file contains ${what}, not the full export of a Trello board. ${EXPORT_INSTRUCTIONS}`,
  );
}
