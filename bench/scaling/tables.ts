import {
  computeBill,
  computeCells,
  computeHeadroom,
  computeLoad,
  computePrice,
  type Item,
  type Measured,
  MONTHS_STORED,
  prices,
  toBusiestSecond,
  type Use,
  workspace,
} from './model.ts';

/** Pages with tables between `<!-- table: name -->` and `<!-- end -->`. */
export const pages = ['docs/scaling.md', 'docs/deploy.md'] as const;

const SIZES = [1_000, 10_000, 100_000, 1_000_000];

const useNames: Record<Use, string> = {
  createTask: 'Create a task with a description of 400 characters',
  comment: 'Write a comment of 240 characters',
  change: 'Change the status of a task',
  list: 'List tasks',
  task: 'Get a task',
  boardPage: 'Open a board',
  taskPage: 'Open a task',
};

const count = (value: number) =>
  value >= 1e9
    ? `${round(value / 1e9)} billion`
    : value >= 1e6
      ? `${round(value / 1e6)} million`
      : round(value).toLocaleString('en');
const money = (value: number) =>
  value > 0 && value < 1 ? value.toFixed(2) : Math.round(value).toLocaleString('en');
const size = (gb: number) =>
  gb >= 1_000 ? `${round(gb / 1_000).toLocaleString('en')} TB` : `${round(gb)} GB`;

function round(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(2));
}

const tables: Record<string, (measured: Measured) => string[][]> = {
  uses: (measured) => [
    ['Action', 'Per workspace per day', 'Bytes in the cell', 'Rows read', 'Rows written'],
    ...(Object.keys(useNames) as Use[]).map((use) => [
      useNames[use],
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
    ...SIZES.map((workspaces) => {
      const load = computeLoad(workspaces, measured);
      return [
        count(workspaces),
        count(workspaces * workspace.people),
        size(load.databaseGb),
        computeCells(load).toLocaleString('en'),
        count(toBusiestSecond(load.requestsADay)),
        `$${money(computeBill(load))}`,
      ];
    }),
  ],
  limits: (measured) => [
    ['Workspaces', 'First limit', 'Headroom', 'What to do', 'Also exceeded'],
    ...SIZES.map((workspaces) => {
      const [first, ...others] = computeHeadroom(workspaces, computeLoad(workspaces, measured));
      if (!first) throw new Error('There are no limits');
      const exceeded = others
        .filter(({ times }) => times < 1)
        .map(({ limit }) => limit.name.split(':')[0]?.toLowerCase());
      const times =
        first.times < 1
          ? `None: the load is ${round(1 / first.times).toLocaleString('en')} times the limit`
          : `${round(first.times)} times the load`;
      const names = exceeded.join(', ') || '–';
      return [count(workspaces), first.limit.name, times, first.limit.remedy, names];
    }),
  ],
  prices: () => [
    ['Item', 'Included', 'Then'],
    ...items.map((item) => {
      const { name, included, unit, price } = prices[item];
      const per = unit === 1 ? '' : ` per ${unit === 1_000 ? 'thousand' : 'million'}`;
      return [name, count(included), `${price < 0.1 ? price : price.toFixed(2)}${per}`];
    }),
  ],
  bill: (measured) => {
    const loads = SIZES.map((workspaces) => computeLoad(workspaces, measured));
    return [
      ['Item', ...SIZES.map((workspaces) => `${count(workspaces)} workspaces`)],
      ...items.map((item) => [
        prices[item].name,
        ...loads.map(({ monthly }) => money(computePrice(item, monthly[item]))),
      ]),
      ['**Total with the plan**', ...loads.map((load) => `**$${money(computeBill(load))}**`)],
      ['Per workspace', ...loads.map((load, at) => `$${(computeBill(load) / (SIZES[at] ?? 1)).toFixed(2)}`)],
    ];
  },
};

const items = (Object.keys(prices) as (keyof typeof prices)[]).filter((key): key is Item => key !== 'plan');

export function fillTables(page: string, measured: Measured): string {
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
