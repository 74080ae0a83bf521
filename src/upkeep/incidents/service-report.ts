import { listRecentErrors } from '../../kernel/operation/report-errors.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import type { RecordedError } from '../../kernel/telemetry/recent-errors.ts';
import { type CellUsage, toPercentUsed } from '../../workspaces/directory/cell-usage.ts';
import {
  listCellSizes,
  listCellUsage,
  listClosedCells,
} from '../../workspaces/directory/directory.queries.ts';
import { listStuckWebhooks, type StuckWebhook } from './stuck-webhooks.queries.ts';
import {
  type AbandonedMail,
  countAbandonedEmails,
  countOverdueEmails,
  type EmailBacklog,
  listAbandonedEmails,
} from './unsent-emails.queries.ts';

const CELLS_MAX = 100;
export const EMAILS_COUNTED_MAX = 1_000;
const EMAILS_LISTED_MAX = 20;
export const WEBHOOKS_PER_CELL_MAX = 20;
/** A cron job queues email that has been due for a minute, so email that has been due this long is stuck. */
const OVERDUE_MS = 5 * 60_000;

export interface DatabaseState {
  readonly bytes: number;
  readonly ms: number;
}

export interface CellReport {
  readonly no: number;
  readonly state: DatabaseState | null;
  readonly workspaces: number | null;
  readonly percentUsed: number | null;
  readonly isClosed: boolean;
  readonly webhooks: readonly StuckWebhook[];
}

interface MailReport {
  readonly abandoned: EmailBacklog;
  readonly overdue: EmailBacklog;
  readonly newest: readonly AbandonedMail[];
}

export interface ServiceReport {
  readonly directory: DatabaseState | null;
  readonly emails: MailReport | null;
  readonly cells: readonly CellReport[];
  readonly cellsInTotal: number;
  readonly errors: readonly RecordedError[] | null;
}

/**
 * Reads each database once. If one of them fails, the report still shows the others, because the report matters most
 * during an outage.
 */
export async function readServiceReport(scope: RequestScope): Promise<ServiceReport> {
  const cellNumbers = [...scope.config.cells.keys()].sort((a, b) => a - b);
  const [directory, errors, ...cells] = await Promise.all([
    readDirectoryReport(scope),
    listRecentErrors(scope.env),
    ...cellNumbers.slice(0, CELLS_MAX).map((no) => readCellReport(scope, no)),
  ]);
  return {
    directory: directory?.state ?? null,
    emails: directory?.emails ?? null,
    cells: cells.map((cell) => ({
      ...cell,
      workspaces: directory ? (directory.workspaces.get(cell.no) ?? 0) : null,
      percentUsed: computePercentUsed(cell.state, directory?.usage.get(cell.no)),
      isClosed: directory?.closed.has(cell.no) ?? false,
    })),
    cellsInTotal: cellNumbers.length,
    errors,
  };
}

async function readDirectoryReport(scope: RequestScope) {
  const { directory, env, meter, now } = scope;
  const startedAt = Date.now();
  try {
    const [abandoned, overdue, newest, sizes, usage, closed] = await directory.batch([
      countAbandonedEmails(EMAILS_COUNTED_MAX),
      countOverdueEmails(now - OVERDUE_MS, EMAILS_COUNTED_MAX),
      listAbandonedEmails(EMAILS_LISTED_MAX),
      listCellSizes(),
      listCellUsage(),
      listClosedCells(),
    ]);
    return {
      state: { bytes: meter.getDatabaseBytes(env.DIRECTORY), ms: Date.now() - startedAt },
      emails: { abandoned, overdue, newest },
      workspaces: new Map(sizes.map(({ cell, workspaces }) => [cell, workspaces])),
      usage: new Map(usage.map((each) => [each.cell, each])),
      closed: new Set(closed.map(({ cell }) => cell)),
    };
  } catch {
    return null;
  }
}

async function readCellReport(scope: RequestScope, no: number) {
  const startedAt = Date.now();
  const binding = scope.config.cells.get(no);
  try {
    const [webhooks] = await scope.cell(no).batch([listStuckWebhooks(WEBHOOKS_PER_CELL_MAX)]);
    const bytes = binding ? scope.meter.getDatabaseBytes(binding) : 0;
    return { no, state: { bytes, ms: Date.now() - startedAt }, webhooks };
  } catch {
    return { no, state: null, webhooks: [] };
  }
}

function computePercentUsed(state: DatabaseState | null, usage: CellUsage | undefined): number | null {
  if (!state && !usage) return null;
  return toPercentUsed({ bytes: state?.bytes ?? usage?.bytes ?? 0, changes: usage?.changes ?? 0 });
}
