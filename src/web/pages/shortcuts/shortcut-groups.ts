/** A key, or some that do the same, as their keyboard names them; and what they do. */
type Shortcut = readonly [keys: readonly string[], does: string];

interface ShortcutGroup {
  readonly title: string;
  readonly rows: readonly Shortcut[];
}

/** What the modules of src/web/client do with keys. Everything else is reached as in every page: by Tab and Enter. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    title: 'On every page',
    rows: [
      [['/', 'Ctrl K'], 'Search tasks, projects, people and commands'],
      [['c'], 'Begin a task, where the page has a line for it'],
      [['z'], 'Take back what was just done'],
      [['Esc'], 'Leave a field, or close what is open'],
      [['?'], 'Show these keys'],
    ],
  },
  {
    title: 'In the search, and in fields that complete names',
    rows: [
      [['↑', '↓'], 'Walk through what is found'],
      [['Enter'], 'Open it, or take it into the field'],
      [['@'], 'In a comment: mention somebody'],
    ],
  },
  {
    title: 'On a card of a board',
    rows: [
      [['↑', '↓', 'k', 'j'], 'Walk through the column'],
      [['←', '→'], 'Walk to the columns beside it'],
      [['1', '2', '3', '4', '5'], 'Move the card to that column'],
      [['Alt ↑', 'Alt ↓'], 'Move the card up or down, where the order is by hand'],
      [['Enter'], 'Open the task'],
    ],
  },
  {
    title: 'In a list of tasks',
    rows: [
      [['Enter'], 'On a cell: change it where it stands'],
      [['Shift'], 'With a click on a tick: tick everything up to the last one'],
    ],
  },
  {
    title: 'In the inbox',
    rows: [
      [['↑', '↓', 'k', 'j'], 'Walk through the notifications'],
      [['Enter'], 'Open what it is about, and mark it read'],
      [['r'], 'Mark it read'],
      [['x'], 'Remove it'],
    ],
  },
  {
    title: 'In a long text',
    rows: [
      [['Ctrl Enter'], 'Save or send it'],
      [['Ctrl B', 'Ctrl I', 'Ctrl E'], 'Bold, italic, code'],
      [['Ctrl Shift 7', 'Ctrl Shift 8'], 'A numbered list, a list with bullets'],
      [['Ctrl Shift 9'], 'A quote'],
      [['Ctrl Z', 'Ctrl Y'], 'Undo, redo'],
    ],
  },
];
