type Shortcut = readonly [keys: readonly string[], effect: string];

interface ShortcutGroup {
  readonly title: string;
  readonly rows: readonly Shortcut[];
}

export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    title: 'General',
    rows: [
      [['Ctrl K'], 'Open the command palette'],
      [['/'], 'Search tasks, projects and people'],
      [['c'], 'Create a task'],
      [['e'], 'Complete or reopen the focused task'],
      [['z'], 'Undo the last action'],
      [['Esc'], 'Leave a field or close a panel'],
      [['['], 'Collapse or expand the sidebar'],
      [['?'], 'Show keyboard shortcuts'],
    ],
  },
  {
    title: 'Focused task',
    rows: [
      [['a'], 'Change the assignee'],
      [['d'], 'Change the deadline'],
      [['p'], 'Change the priority'],
      [['l'], 'Change the tags'],
      [['s'], 'Change the status (only on the task page)'],
    ],
  },
  {
    title: 'Command palette, search and suggestions',
    rows: [
      [['↑', '↓'], 'Move between results'],
      [['Enter'], 'Open, run or insert the selected result'],
      [['Ctrl Enter'], 'Open the selected result in a new tab (only in the command palette)'],
      [['@'], 'Mention someone in a comment'],
    ],
  },
  {
    title: 'Quick create',
    rows: [
      [['Enter'], 'Create the task'],
      [['Shift Enter'], 'Create the task and start another'],
      [['Esc'], 'Close and keep the text'],
    ],
  },
  {
    title: 'Task panel',
    rows: [
      [['k', 'j'], 'Open the previous or next task'],
      [['f'], 'Open the full page'],
      [['e'], 'Complete or reopen the task'],
      [['←', '→'], 'Resize the panel while its edge is focused'],
      [['Esc'], 'Close the panel'],
    ],
  },
  {
    title: 'Board',
    rows: [
      [['↑', '↓', 'k', 'j'], 'Move between cards'],
      [['←', '→'], 'Move between columns'],
      [['1', '2', '3', '4', '5'], 'Move the card to the column with that number'],
      [['Alt ↑', 'Alt ↓'], 'Move the card up or down (only in manual order)'],
      [['Enter'], 'Open the task'],
    ],
  },
  {
    title: 'Task list',
    rows: [
      [['Enter'], 'Edit the focused cell'],
      [['Shift click'], 'Select a range of tasks'],
    ],
  },
  {
    title: 'Timeline',
    rows: [
      [['↑', '↓', 'k', 'j'], 'Move between tasks'],
      [['Shift ←', 'Shift →'], 'Move the task by a day'],
      [['Enter'], 'Open the task'],
      [['Esc'], 'Cancel a move'],
    ],
  },
  {
    title: 'Inbox',
    rows: [
      [['↑', '↓', 'k', 'j'], 'Move between notifications'],
      [['Enter'], 'Open the notification and mark it as read'],
      [['r'], 'Mark as read'],
      [['x'], 'Remove'],
    ],
  },
  {
    title: 'Text editor',
    rows: [
      [['Ctrl Enter'], 'Save or send'],
      [['Ctrl B', 'Ctrl I', 'Ctrl E'], 'Bold, italic, code'],
      [['Ctrl Shift 7', 'Ctrl Shift 8'], 'Numbered list, bulleted list'],
      [['Ctrl Shift 9'], 'Quote'],
      [['Ctrl Z', 'Ctrl Y'], 'Undo, redo'],
    ],
  },
];
