import { invalidRequestError } from '../../kernel/errors/errors.ts';
import {
  getNumber,
  getRecord,
  getText,
  isRecord,
  isTrue,
  type JsonRecord,
  listRecords,
  listTexts,
} from './parse-json.ts';
import type { SourceColumn } from './source.ts';
import {
  getLabelName,
  listChecklists,
  sortByPosition,
  type TrelloBoard,
  type TrelloComment,
} from './trello-board.ts';

interface TrelloColumn extends SourceColumn {
  /** Returns a list for a column whose cells contain several values. */
  readonly read: (card: JsonRecord) => string | readonly string[];
}

/** Twice as many as Trello allows. The number is limited, because each row has a cell for each field. */
const FIELDS_MAX = 100;
const DEFAULT_CHECKLIST_NAME = 'checklist';
const CARD_URL_PATTERN = /^https:\/\/trello\.com\/c\/(\w+)/;

export function listTrelloColumns(board: TrelloBoard, cards: readonly JsonRecord[]): TrelloColumn[] {
  if (board.fields.length > FIELDS_MAX) {
    throw invalidRequestError(
      `The board must have at most ${FIELDS_MAX} custom fields; it has ${board.fields.length}.`,
    );
  }
  return [...buildColumns(board), ...buildFieldColumns(board)].filter(
    ({ use, read }) => use === 'name' || cards.some((card) => read(card).length > 0),
  );
}

function buildColumns(board: TrelloBoard): TrelloColumn[] {
  const { lists, people, comments } = board;
  const readText = (key: string) => (card: JsonRecord) => getText(card, key);
  const getCardList = (card: JsonRecord) => lists.get(getText(card, 'idList'));
  const isArchived = (card: JsonRecord) => isTrue(card, 'closed') || getCardList(card)?.isClosed === true;
  return [
    { header: 'Card id', use: 'id', read: readText('id') },
    { header: 'Name', use: 'name', read: readText('name') },
    { header: 'Description', use: 'description', read: readText('desc') },
    { header: 'List', use: 'status', read: (card) => getCardList(card)?.name ?? '' },
    { header: 'Labels', use: 'tags', read: (card) => listLabels(board, card) },
    {
      header: 'Members',
      use: 'assignee',
      read: (card) => listTexts(card, 'idMembers').map((id) => people.get(id) ?? id),
    },
    { header: 'Start date', use: 'startDate', read: readText('start') },
    { header: 'Due date', use: 'deadline', read: readText('due') },
    { header: 'Complete', use: 'isCompleted', read: (card) => (isTrue(card, 'dueComplete') ? 'yes' : '') },
    { header: 'Completed', use: 'completedAt', read: readText('dateCompleted') },
    { header: 'Archived', use: 'isArchived', read: (card) => (isArchived(card) ? 'yes' : '') },
    { header: 'Checklists', use: 'checklist', read: (card) => listCheckItems(board, card) },
    { header: 'Checklist name', use: 'text', read: (card) => getOnlyChecklistName(board, card) },
    {
      header: 'Comments',
      use: 'text',
      hasMarkdown: true,
      read: (card) => (comments.get(getText(card, 'id')) ?? []).map(formatComment),
    },
    { header: 'Attachments', use: 'text', read: (card) => listAttachments(board, card).files },
    { header: 'Linked cards', use: 'text', read: (card) => listAttachments(board, card).cards },
    { header: 'Created', use: 'createdAt', read: (card) => getCreationTime(getText(card, 'id')) },
    { header: 'Card number', use: 'text', read: (card) => String(getNumber(card, 'idShort') ?? '') },
    { header: 'Card link', use: 'text', read: (card) => getText(card, 'shortUrl') || getText(card, 'url') },
    { header: 'Location', use: 'text', read: formatLocation },
    { header: 'Template', use: 'text', read: (card) => (isTrue(card, 'isTemplate') ? 'yes' : '') },
    {
      header: 'Votes',
      use: 'text',
      read: (card) => formatPositiveNumber(getRecord(card, 'badges'), 'votes'),
    },
    { header: 'Reminder in minutes', use: 'skip', read: (card) => formatPositiveNumber(card, 'dueReminder') },
    { header: 'Last activity', use: 'skip', read: readText('dateLastActivity') },
  ];
}

/** In older exports, each card contains its labels. In newer exports, it contains only their ids. */
function listLabels({ labels }: TrelloBoard, card: JsonRecord): readonly string[] {
  const repeated = listRecords(card, 'labels');
  if (repeated.length > 0) return repeated.map(getLabelName);
  return listTexts(card, 'idLabels').map((id) => labels.get(id) ?? id);
}

/** If a card has several checklists, each item starts with the name of its checklist. */
function listCheckItems(board: TrelloBoard, card: JsonRecord): string[] {
  const checklists = listChecklists(board, card);
  return checklists.flatMap((checklist) => {
    const name = getText(checklist, 'name');
    const prefix = checklists.length > 1 && name !== '' ? `${name}: ` : '';
    return sortByPosition(listRecords(checklist, 'checkItems')).map((item) => {
      const text = getText(item, 'name').replace(/\s+/g, ' ');
      const details = [
        board.people.get(getText(item, 'idMember')) ?? '',
        getText(item, 'due').slice(0, '2026-01-31'.length),
      ].filter((detail) => detail !== '');
      const mark = getText(item, 'state') === 'complete' ? 'x' : ' ';
      return `[${mark}] ${prefix}${text}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
    });
  });
}

function getOnlyChecklistName(board: TrelloBoard, card: JsonRecord): string {
  const [only, ...others] = listChecklists(board, card);
  const name = only && others.length === 0 ? getText(only, 'name') : '';
  return name.toLowerCase() === DEFAULT_CHECKLIST_NAME ? '' : name;
}

function formatComment({ author, time, text }: TrelloComment): string {
  const written = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/.exec(time);
  return `${author}, ${written ? `${written[1]} ${written[2]} UTC` : time || 'unknown time'}:\n${text}`;
}

function listAttachments({ cardNames }: TrelloBoard, card: JsonRecord): { files: string[]; cards: string[] } {
  const files: string[] = [];
  const cards: string[] = [];
  for (const attachment of listRecords(card, 'attachments')) {
    const url = getText(attachment, 'url');
    const [, link] = CARD_URL_PATTERN.exec(url) ?? [];
    const name = (link && cardNames.get(link)) || getText(attachment, 'name');
    const text = [...new Set([name, url])].filter((part) => part !== '').join(': ');
    (link ? cards : files).push(text || 'no URL');
  }
  return { files, cards };
}

/** The first eight digits of an id are the time of its creation in seconds. */
function getCreationTime(id: string): string {
  return /^[0-9a-f]{24}$/i.test(id)
    ? new Date(Number.parseInt(id.slice(0, 8), 16) * 1_000).toISOString()
    : '';
}

function formatLocation(card: JsonRecord): string {
  const { latitude, longitude } = getRecord(card, 'coordinates');
  const place =
    typeof latitude === 'number' && typeof longitude === 'number' ? `${latitude}, ${longitude}` : '';
  return [getText(card, 'locationName'), getText(card, 'address'), place || getText(card, 'coordinates')]
    .filter((part) => part !== '')
    .join(', ');
}

function formatPositiveNumber(record: JsonRecord, key: string): string {
  const number = getNumber(record, key) ?? 0;
  return number > 0 ? String(number) : '';
}

function buildFieldColumns({ fields }: TrelloBoard): TrelloColumn[] {
  const known = fields.map((field): TrelloColumn => {
    const id = getText(field, 'id');
    const options = new Map(
      listRecords(field, 'options').map((option) => [
        getText(option, 'id'),
        getText(getRecord(option, 'value'), 'text'),
      ]),
    );
    return {
      header: getText(field, 'name') || 'Custom field',
      use: 'text',
      read: (card) =>
        listRecords(card, 'customFieldItems')
          .filter((item) => getText(item, 'idCustomField') === id)
          .map((item) => readFieldValue(item, options))
          .filter((value) => value !== '')
          .join(', '),
    };
  });
  const ids = new Set(fields.map((field) => getText(field, 'id')));
  const other: TrelloColumn = {
    header: 'Other custom fields',
    use: 'text',
    read: (card) =>
      listRecords(card, 'customFieldItems')
        .filter((item) => !ids.has(getText(item, 'idCustomField')))
        .map((item) => readFieldValue(item, new Map()))
        .filter((value) => value !== ''),
  };
  return [...known, other];
}

function readFieldValue(item: JsonRecord, options: ReadonlyMap<string, string>): string {
  const option = getText(item, 'idValue');
  if (option !== '') return options.get(option) ?? option;
  const value = item.value;
  const found = isRecord(value)
    ? Object.values(value).find((each) => typeof each === 'string' || typeof each === 'number')
    : undefined;
  return typeof found === 'number' ? String(found) : getText({ found }, 'found');
}
