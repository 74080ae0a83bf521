// Computes the storage, traffic and monthly costs of a deployment of a given size, and the limit that it reaches first.

export type WorkspaceAction =
  | 'createTask'
  | 'comment'
  | 'change'
  | 'list'
  | 'task'
  | 'boardPage'
  | 'taskPage';

export interface ActionUsage {
  readonly bytes: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

export type MeasuredUsage = Readonly<Record<WorkspaceAction, ActionUsage>>;

/** How ten people use a workspace on a working day. */
export const workspace = {
  people: 10,
  uses: {
    createTask: 20,
    comment: 40,
    change: 150,
    list: 500,
    task: 500,
    boardPage: 2_000,
    taskPage: 1_000,
  } satisfies Record<WorkspaceAction, number>,
  emails: 30,
  fileMegabytes: 20,
  fileRequests: 40,
  /** How many seconds the sockets of open pages keep the workspace's hub awake. */
  hubSeconds: 600,
} as const;

const WORKING_DAYS_PER_MONTH = 22;
/** The age of the modeled deployment, which determines its stored bytes. */
export const MONTHS_STORED = 12;
/** The share of a day's work that falls in its busiest hour. */
const BUSIEST_HOUR_SHARE = 0.2;

/**
 * Cloudflare's list prices of 2026 for Workers Paid, in US dollars: the amount included per month, and the price per
 * unit.
 */
export const prices = {
  plan: 5,
  requests: { name: 'Requests', included: 10e6, unit: 1e6, price: 0.3 },
  cpu: { name: 'CPU (ms)', included: 30e6, unit: 1e6, price: 0.02 },
  logs: { name: 'Logs', included: 20e6, unit: 1e6, price: 0.6 },
  dataPoints: { name: 'Data points', included: 10e6, unit: 1e6, price: 0.25 },
  rowsRead: { name: 'Rows read', included: 25e9, unit: 1e6, price: 0.001 },
  rowsWritten: { name: 'Rows written', included: 50e6, unit: 1e6, price: 1 },
  databaseGb: { name: 'D1 storage (GB)', included: 5, unit: 1, price: 0.75 },
  objectRequests: { name: 'Durable Object requests', included: 1e6, unit: 1e6, price: 0.15 },
  objectGbSeconds: { name: 'Durable Object duration (GB-s)', included: 400_000, unit: 1e6, price: 12.5 },
  fileGb: { name: 'R2 storage (GB)', included: 10, unit: 1, price: 0.015 },
  fileRequests: { name: 'R2 writes', included: 1e6, unit: 1e6, price: 4.5 },
  queueOperations: { name: 'Queue operations', included: 1e6, unit: 1e6, price: 0.4 },
  emails: { name: 'Emails', included: 3_000, unit: 1_000, price: 0.35 },
} as const;

export type PricedItem = Exclude<keyof typeof prices, 'plan'>;

/** An assumption. A local measurement would be too high, because the emulated database uses the same CPU. */
const CPU_MS_PER_REQUEST = 5;
/** Equals `LOG_SAMPLE_RATE` in wrangler.toml. */
const LOG_LINES_PER_REQUEST = 0.1;
/** A queue writes, reads and deletes the id of each email. */
const QUEUE_OPERATIONS_PER_MAIL = 3;
/** A Durable Object is billed for 128 MB. */
const OBJECT_GB = 0.128;
/** How many requests with the same credential an isolate counts before it calls the rate window. */
const REQUESTS_PER_WINDOW_CALL = 8;

/** The keeper of each database is called every minute for 30 days. Most calls find nothing to do. */
const TICKS_PER_MONTH = 43_200;
const KEEPER_SECONDS_PER_TICK = 0.1;

export interface DeploymentLoad {
  readonly requestsPerDay: number;
  readonly changesPerDay: number;
  readonly databaseGb: number;
  readonly monthly: Readonly<Record<PricedItem, number>>;
}

export function computeLoad(workspaces: number, measured: MeasuredUsage): DeploymentLoad {
  const uses = Object.entries(workspace.uses) as [WorkspaceAction, number][];
  const sum = (of: (use: WorkspaceAction) => number) =>
    workspaces * uses.reduce((total, [use, count]) => total + count * of(use), 0);
  const { createTask, comment, change } = workspace.uses;
  const requestsPerDay = sum(() => 1);
  const changesPerDay = workspaces * (createTask + comment + change);
  const monthly = (daily: number) => daily * WORKING_DAYS_PER_MONTH;
  const databaseGb = (monthly(sum((use) => measured[use].bytes)) * MONTHS_STORED) / 1e9;
  const ticks = (computeCells({ databaseGb, requestsPerDay }) + 1) * TICKS_PER_MONTH;
  return {
    requestsPerDay,
    changesPerDay,
    databaseGb,
    monthly: {
      requests: monthly(requestsPerDay),
      cpu: monthly(requestsPerDay) * CPU_MS_PER_REQUEST,
      logs: monthly(requestsPerDay) * LOG_LINES_PER_REQUEST,
      dataPoints: monthly(requestsPerDay),
      rowsRead: monthly(sum((use) => measured[use].rowsRead)),
      rowsWritten: monthly(sum((use) => measured[use].rowsWritten)),
      databaseGb,
      objectRequests: monthly(requestsPerDay / REQUESTS_PER_WINDOW_CALL + changesPerDay) + ticks,
      objectGbSeconds:
        (monthly(workspaces * workspace.hubSeconds) + ticks * KEEPER_SECONDS_PER_TICK) * OBJECT_GB,
      fileGb: (monthly(workspaces * workspace.fileMegabytes) * MONTHS_STORED) / 1_000,
      fileRequests: monthly(workspaces * workspace.fileRequests),
      queueOperations: monthly(workspaces * workspace.emails) * QUEUE_OPERATIONS_PER_MAIL,
      emails: monthly(workspaces * workspace.emails),
    },
  };
}

export function computePrice(item: PricedItem, amount: number): number {
  const { included, unit, price } = prices[item];
  return (Math.max(0, amount - included) / unit) * price;
}

export const computeMonthlyBill = ({ monthly }: DeploymentLoad): number =>
  (Object.keys(monthly) as PricedItem[]).reduce<number>(
    (sum, item) => sum + computePrice(item, monthly[item]),
    prices.plan,
  );

/** At this size, a cell accepts no new workspaces. A database is limited to 10 GB. */
const CELL_GB_MAX = 7;
/** A quarter of the rate that one cell reached in a measurement, to leave room for bursts and longer batches. */
const REQUESTS_PER_CELL_SECOND = 300;

interface Limit {
  readonly name: string;
  readonly remedy: string;
  readonly allowed: number;
  readonly needed: (workspaces: number, load: DeploymentLoad) => number;
}

/**
 * Round trips to the directory for a sign-in and its first page, or for an email, which is queued, claimed and marked
 * as sent.
 */
const DIRECTORY_TRIPS = 4;
/** A session lasts seven days, five of which are working days. */
const WORKING_DAYS_PER_SESSION = 5;

export const computePeakPerSecond = (daily: number) => (daily * BUSIEST_HOUR_SHARE) / 3_600;

export const computeCells = ({
  databaseGb,
  requestsPerDay,
}: Pick<DeploymentLoad, 'databaseGb' | 'requestsPerDay'>): number =>
  Math.ceil(
    Math.max(databaseGb / CELL_GB_MAX, computePeakPerSecond(requestsPerDay) / REQUESTS_PER_CELL_SECOND, 1),
  );

/** In the order in which an operator would raise these limits. */
const limits: readonly Limit[] = [
  {
    name: 'Email: a cron job enqueues 2,000 notifications per minute',
    remedy: 'Enqueue each notification along with its change',
    allowed: 2_000,
    needed: (workspaces) => (workspaces * workspace.emails * BUSIEST_HOUR_SHARE) / 60,
  },
  {
    name: 'The directory: 75 sign-ins and emails per second',
    remedy: 'Move the outbox to the cells',
    allowed: REQUESTS_PER_CELL_SECOND / DIRECTORY_TRIPS,
    needed: (workspaces) =>
      computePeakPerSecond(workspaces * (workspace.people / WORKING_DAYS_PER_SESSION + workspace.emails)),
  },
  {
    name: 'Cron: 999 cells, because a tick makes one call per database',
    remedy: 'Let keepers pass the call on to others',
    allowed: 999,
    needed: (_, load) => computeCells(load),
  },
  {
    name: 'Storage: 1 TB of D1 per account',
    remedy: 'Ask Cloudflare for more',
    allowed: 1_000,
    needed: (_, { databaseGb }) => databaseGb,
  },
  {
    name: 'Cells: 3,844, because keys have two base62 digits for the cell',
    remedy: 'Add a digit',
    allowed: 62 ** 2,
    needed: (_, load) => computeCells(load),
  },
];

export interface Headroom {
  readonly limit: Limit;
  /** How many times the load fits within the limit. Below 1, the load exceeds the limit. */
  readonly times: number;
}

export function computeHeadroom(workspaces: number, load: DeploymentLoad): Headroom[] {
  return limits
    .map((limit) => ({ limit, times: limit.allowed / limit.needed(workspaces, load) }))
    .sort((a, b) => a.times - b.times);
}
