import {
  computeCells,
  computeHeadroom,
  computeLoad,
  computeMonthlyBill,
  computePeakPerSecond,
  computePrice,
  type MeasuredUsage,
  MONTHS_STORED,
  type PricedItem,
  prices,
  type WorkspaceAction,
  workspace,
} from './model.ts';

/** Pages with tables between `<!-- table: name -->` and `<!-- end -->`. */
export const pages = ['docs/scaling.md', 'docs/deploy.md'] as const;

const WORKSPACE_COUNTS = [1_000, 10_000, 100_000, 1_000_000];

const actionNames: Record<WorkspaceAction, string> = {
  createTask: 'Create a task with a description of 400 characters',
  comment: 'Write a comment of 240 characters',
  change: 'Change the status of a task',
  list: 'List tasks',
  task: 'Get a task',
  boardPage: 'Open a board',
  taskPage: 'Open a task',
};

const formatCount = (value: number) =>
  value >= 1e9
    ? `${roundForDisplay(value / 1e9)} billion`
    : value >= 1e6
      ? `${roundForDisplay(value / 1e6)} million`
      : roundForDisplay(value).toLocaleString('en');
const formatMoney = (value: number) =>
  value > 0 && value < 1 ? value.toFixed(2) : Math.round(value).toLocaleString('en');
const formatSize = (gb: number) =>
  gb >= 1_000 ? `${roundForDisplay(gb / 1_000).toLocaleString('en')} TB` : `${roundForDisplay(gb)} GB`;

function roundForDisplay(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(2));
}

const tables: Record<string, (measured: MeasuredUsage) => string[][]> = {
  uses: (measured) => [
    ['Action', 'Per workspace per day', 'Bytes in the cell', 'Rows read', 'Rows written'],
    ...(Object.keys(actionNames) as WorkspaceAction[]).map((use) => [
      actionNames[use],
      workspace.uses[use].toLocaleString('en'),
      measured[use].bytes.toLocaleString('en'),
      `${measured[use].rowsRead}`,
      `${measured[use].rowsWritten}`,
    ]),
  ],
  sizes: (measured) => [
    [
      'Workspaces',
      'People',
      `Data after ${MONTHS_STORED} months`,
      'Cells',
      'Requests per second, busiest hour',
      'Bill per month',
    ],
    ...WORKSPACE_COUNTS.map((workspaces) => {
      const load = computeLoad(workspaces, measured);
      return [
        formatCount(workspaces),
        formatCount(workspaces * workspace.people),
        formatSize(load.databaseGb),
        computeCells(load).toLocaleString('en'),
        formatCount(computePeakPerSecond(load.requestsPerDay)),
        `$${formatMoney(computeMonthlyBill(load))}`,
      ];
    }),
  ],
  limits: (measured) => [
    ['Workspaces', 'First limit', 'Headroom', 'What to do', 'Also exceeded'],
    ...WORKSPACE_COUNTS.map((workspaces) => {
      const [first, ...others] = computeHeadroom(workspaces, computeLoad(workspaces, measured));
      if (!first) throw new Error('There are no limits');
      const exceeded = others
        .filter(({ times }) => times < 1)
        .map(({ limit }) => limit.name.replace(/, because .*/, ''));
      const times =
        first.times < 1
          ? `None: the load is ${roundForDisplay(1 / first.times).toLocaleString('en')} times the limit`
          : `${roundForDisplay(first.times)} times the load`;
      const names = exceeded.join('<br>') || '–';
      return [formatCount(workspaces), first.limit.name, times, first.limit.remedy, names];
    }),
  ],
  prices: () => [
    ['Item', 'Included', 'Then'],
    ...pricedItems.map((item) => {
      const { name, included, unit, price } = prices[item];
      const per = unit === 1 ? '' : ` per ${unit === 1_000 ? 'thousand' : 'million'}`;
      return [name, formatCount(included), `${price < 0.1 ? price : price.toFixed(2)}${per}`];
    }),
  ],
  bill: (measured) => {
    const loads = WORKSPACE_COUNTS.map((workspaces) => computeLoad(workspaces, measured));
    return [
      ['Item', ...WORKSPACE_COUNTS.map((workspaces) => `${formatCount(workspaces)} workspaces`)],
      ...pricedItems.map((item) => [
        prices[item].name,
        ...loads.map(({ monthly }) => formatMoney(computePrice(item, monthly[item]))),
      ]),
      ['**Total with the plan**', ...loads.map((load) => `**$${formatMoney(computeMonthlyBill(load))}**`)],
      [
        'Per workspace',
        ...loads.map((load, at) => `$${(computeMonthlyBill(load) / (WORKSPACE_COUNTS[at] ?? 1)).toFixed(2)}`),
      ],
    ];
  },
};

const pricedItems = (Object.keys(prices) as (keyof typeof prices)[]).filter(
  (key): key is PricedItem => key !== 'plan',
);

export function fillTables(page: string, measured: MeasuredUsage): string {
  return page.replace(
    /(<!-- table: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => {
      const table = tables[name];
      if (!table) throw new Error(`There is no table ${name}; there are ${Object.keys(tables).join(', ')}`);
      const [head = [], ...rows] = table(measured);
      const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
      return `${start}\n${lines.join('\n')}\n\n${end}`;
    },
  );
}
