import { getNumber, getRecord, getText, isTrue, type JsonRecord, listRecords } from './parse-json.ts';

export interface TrelloList {
  readonly name: string;
  readonly isClosed: boolean;
}

export interface TrelloComment {
  readonly author: string;
  readonly time: string;
  readonly text: string;
}

/** The objects that cards refer to by id. */
export interface TrelloBoard {
  readonly lists: ReadonlyMap<string, TrelloList>;
  readonly listPositions: ReadonlyMap<string, number>;
  readonly labels: ReadonlyMap<string, string>;
  readonly people: ReadonlyMap<string, string>;
  readonly usernames: ReadonlyMap<string, string>;
  readonly checklists: ReadonlyMap<string, readonly JsonRecord[]>;
  /** Oldest first. */
  readonly comments: ReadonlyMap<string, readonly TrelloComment[]>;
  readonly fields: readonly JsonRecord[];
  /** Card names by short link, such as `aBc123` in `https://trello.com/c/aBc123/12-logo`. */
  readonly cardNames: ReadonlyMap<string, string>;
}

export function indexBoard(board: JsonRecord): TrelloBoard {
  const lists = sortByPosition(listRecords(board, 'lists'));
  const { people, usernames } = indexPeople(board);
  return {
    lists: new Map(
      lists.map((list) => [
        getText(list, 'id'),
        { name: getText(list, 'name'), isClosed: isTrue(list, 'closed') },
      ]),
    ),
    listPositions: new Map(lists.map((list, position) => [getText(list, 'id'), position])),
    labels: new Map(listRecords(board, 'labels').map((label) => [getText(label, 'id'), getLabelName(label)])),
    people,
    usernames,
    checklists: Map.groupBy(sortByPosition(listRecords(board, 'checklists')), (checklist) =>
      getText(checklist, 'idCard'),
    ),
    comments: indexComments(board, people),
    fields: listRecords(board, 'customFields'),
    cardNames: new Map(
      listRecords(board, 'cards').map((card) => [getText(card, 'shortLink'), getText(card, 'name')]),
    ),
  };
}

export function sortByPosition(records: readonly JsonRecord[]): JsonRecord[] {
  const getPosition = (record: JsonRecord) => getNumber(record, 'pos') ?? Number.MAX_VALUE;
  return records.toSorted((one, other) => Math.sign(getPosition(one) - getPosition(other)));
}

export function listChecklists({ checklists }: TrelloBoard, card: JsonRecord): readonly JsonRecord[] {
  return checklists.get(getText(card, 'id')) ?? [];
}

export function getLabelName(label: JsonRecord): string {
  return getText(label, 'name') || getText(label, 'color').replaceAll('_', ' ') || 'no color';
}

/** Also reads the board's actions, because people who have left the board appear only there. */
function indexPeople(board: JsonRecord): Pick<TrelloBoard, 'people' | 'usernames'> {
  const inActions = listRecords(board, 'actions').flatMap((action) => [
    getRecord(action, 'memberCreator'),
    getRecord(action, 'member'),
  ]);
  const byId = new Map<string, JsonRecord>();
  for (const person of [...listRecords(board, 'members'), ...inActions]) {
    const id = getText(person, 'id');
    if (id !== '' && !byId.has(id)) byId.set(id, person);
  }
  const sharing = Map.groupBy(byId.values(), (person) => getText(person, 'fullName'));
  const people = new Map<string, string>();
  const usernames = new Map<string, string>();
  for (const [id, person] of byId) {
    const [fullName, username] = [getText(person, 'fullName'), getText(person, 'username')];
    const isUnique = sharing.get(fullName)?.length === 1;
    const name = isUnique && fullName !== '' ? fullName : [fullName, username].filter(Boolean).join(' / ');
    people.set(id, name || id);
    if (username !== '') usernames.set(name, username);
  }
  return { people, usernames };
}

const commentTypes = new Set(['commentCard', 'copyCommentCard']);
export const isComment = (action: JsonRecord): boolean => commentTypes.has(getText(action, 'type'));

function indexComments(
  board: JsonRecord,
  people: TrelloBoard['people'],
): ReadonlyMap<string, readonly TrelloComment[]> {
  const comments = listRecords(board, 'actions')
    .filter(isComment)
    .map((action) => ({
      card: getText(getRecord(getRecord(action, 'data'), 'card'), 'id'),
      author:
        people.get(getText(action, 'idMemberCreator')) ??
        people.get(getText(getRecord(action, 'memberCreator'), 'id')) ??
        'Unknown author',
      time: getText(action, 'date'),
      text: getText(getRecord(action, 'data'), 'text'),
    }));
  // Reverses the comments, because Trello exports the newest first, and sorting keeps the order of equal times.
  const ordered = comments
    .toReversed()
    .toSorted((one, other) => (one.time === other.time ? 0 : one.time < other.time ? -1 : 1));
  return Map.groupBy(ordered, ({ card }) => card);
}
