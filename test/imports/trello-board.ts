const BOARD_ID = '5f0000000000000000000001';
const MARA_ID = '5f00000000000000000000a1';
const FORMER_MEMBER_ID = '5f00000000000000000000a2';

type Json = Record<string, unknown>;

/** Returns an id that ends with the card's number. Its first digits are the creation time, 2020-07-04. */
export const toCardId = (number: number) => `5f0000f${String(number).padStart(17, '0')}`;

/** Builds a card as Trello exports it, including its secret address for comments by email. */
export function buildCard(number: number, changes: Json = {}): Json {
  return {
    id: toCardId(number),
    name: `Card ${number}`,
    desc: '',
    closed: false,
    idBoard: BOARD_ID,
    idList: 'list-todo',
    idShort: number,
    idMembers: [],
    idLabels: [],
    labels: [],
    idChecklists: [],
    pos: number * 65_536,
    due: null,
    dueComplete: false,
    start: null,
    dueReminder: null,
    isTemplate: false,
    shortLink: `link${number}`,
    shortUrl: `https://trello.com/c/link${number}`,
    dateLastActivity: '2026-01-05T10:00:00.000Z',
    email: `secret-${number}@boards.trello.com`,
    badges: { comments: 0, checkItems: 0, attachments: 0, votes: 0 },
    attachments: [],
    customFieldItems: [],
    pluginData: [],
    ...changes,
  };
}

export function buildBoard({ cards, ...changes }: Json & { cards: readonly unknown[] }): Json {
  return {
    id: BOARD_ID,
    name: 'Launch board',
    desc: '',
    closed: false,
    shortLink: 'board',
    email: 'secret-board@boards.trello.com',
    prefs: { permissionLevel: 'private' },
    labelNames: { green: '' },
    lists: [
      { id: 'list-todo', name: 'To Do', closed: false, pos: 100 },
      { id: 'list-doing', name: 'Doing', closed: false, pos: 200 },
      { id: 'list-qa', name: 'Gate', closed: false, pos: 300 },
      { id: 'list-old', name: 'Done', closed: true, pos: 50 },
    ],
    labels: [
      { id: 'label-web', name: 'web', color: 'blue' },
      { id: 'label-green', name: '', color: 'green_dark' },
    ],
    members: [{ id: MARA_ID, fullName: 'Mara Lindqvist', username: 'maral' }],
    checklists: [],
    customFields: [],
    actions: [],
    cards,
    ...changes,
  };
}

export function buildComment(card: number, text: string, date = '2026-01-05T10:00:00.000Z'): Json {
  return {
    id: `action-${card}-${date}`,
    type: 'commentCard',
    date,
    idMemberCreator: FORMER_MEMBER_ID,
    memberCreator: { id: FORMER_MEMBER_ID, fullName: 'Ola Left', username: 'olaleft' },
    data: { text, card: { id: toCardId(card), name: `Card ${card}` } },
  };
}

export function buildChecklist(
  card: number,
  name: string,
  items: readonly (readonly [text: string, isDone: boolean])[],
  pos = 1,
): Json {
  return {
    id: `checklist-${card}-${name}`,
    name,
    idCard: toCardId(card),
    pos,
    checkItems: items.map(([text, isDone], index) => ({
      id: `item-${index}`,
      name: text,
      state: isDone ? 'complete' : 'incomplete',
      // Lists the items in the reverse order of their positions.
      pos: items.length - index,
    })),
  };
}

export const people = { mara: MARA_ID, left: FORMER_MEMBER_ID };
