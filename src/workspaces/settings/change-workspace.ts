import * as z from 'zod';
import { recordEvent } from '../../events/log/record.queries.ts';
import { getReach } from '../../kernel/access/capabilities.ts';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { toInstant } from '../../kernel/dates/civil-date.ts';
import { forbiddenError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { rescheduleSeries } from '../../tasks/recurrence/recurrences.queries.ts';
import { rescheduleReminders } from '../../tasks/reminders/reminders.queries.ts';
import {
  assertWorkspaceVersion,
  findWorkspace,
  listRecurringMeetings,
  moveRecurringMeetings,
  updateWorkspace as updateWorkspaceRow,
  type WorkspaceState,
} from './workspace-settings.queries.ts';
import { workspaceSettings, workspaceUpdateInput } from './workspace-settings.schema.ts';

export const getWorkspaceSettings = defineOperation(
  {
    name: 'getWorkspaceSettings',
    summary: 'Get the workspace settings',
    access: 'session',
    capability: 'changeWorkspace',
    effect: 'read',
    input: z.strictObject({}),
    output: workspaceSettings,
  },
  async ({ caller, db, reach }) => {
    const [found] = await db.batch([findWorkspace(caller)]);
    return {
      ...toSettings(found),
      mayChange: reach === 'all',
      isOwner: getReach(caller, 'ownWorkspace') === 'all',
    };
  },
);

export const updateWorkspace = defineOperation(
  {
    name: 'updateWorkspace',
    summary: 'Change the workspace settings',
    access: 'session',
    capability: 'changeWorkspace',
    effect: 'write',
    input: workspaceUpdateInput,
    output: successOutput,
    audits: ['workspace.updated'],
  },
  async (ctx, wanted) => {
    const { caller, db } = ctx;
    if (ctx.reach !== 'all') {
      throw forbiddenError('Only owners and admins can change workspace settings. Ask one of them.');
    }
    const [found, series] = await db.batch([findWorkspace(caller), listRecurringMeetings(caller)]);
    const workspace = toSettings(found);
    requireCurrentSnapshot(ctx.snapshot, wanted, workspace, { type: 'workspace.updated' });
    const fields = ['name', 'timezone', 'dailyCapacityHours'] as const;
    const changed = fields.filter(
      (field) => wanted[field] !== undefined && wanted[field] !== workspace[field],
    );
    if (changed.length === 0) return { success: true as const };
    const timezone = wanted.timezone ?? workspace.timezone;
    // Meetings keep their wall-clock time, so their start moves with the workspace's time zone.
    const moved = changed.includes('timezone')
      ? series.map((each) => ({ ...each, dueAt: toInstant(each.date, each.time, timezone) }))
      : [];
    const changedFields = changed.map((field) => [field, { from: workspace[field], to: wanted[field] }]);
    await db.batch([
      assertWorkspaceVersion(caller, workspace.version),
      recordAuditEntry(ctx, { type: 'workspace.updated', details: { fields: changed.join(', ') } }),
      recordEvent(ctx, { type: 'workspace.updated', changes: Object.fromEntries(changedFields) }),
      ...(moved.length > 0 ? moveRecurringMeetings(caller, moved) : []),
      ...(changed.includes('timezone') ? [rescheduleSeries(caller), rescheduleReminders(caller)] : []),
      updateWorkspaceRow(caller, wanted),
    ]);
    return { success: true as const };
  },
);

function toSettings({ daily_capacity_hours, ...row }: WorkspaceState) {
  return { ...row, dailyCapacityHours: daily_capacity_hours };
}
