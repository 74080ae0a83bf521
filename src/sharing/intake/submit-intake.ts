import type * as z from 'zod';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/dates/durations.ts';
import { AppError, internalError } from '../../kernel/errors/errors.ts';
import { createIdempotencyKey } from '../../kernel/idempotency/idempotency.ts';
import { defineOperation, type WriteContext } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { successOutput } from '../../kernel/operation/schema.ts';
import { toAddressBlock } from '../../kernel/rate-limit/client-address.ts';
import { countHit, requireWithinRateLimit } from '../../kernel/rate-limit/rate-limit.ts';
import { findTokenCell } from '../../kernel/secrets/derived-token.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';
import { WriteConflictError } from '../../kernel/sql/database.ts';
import { GuardedDatabase } from '../../kernel/sql/guarded-database.ts';
import { KeyUsedBeforeError } from '../../kernel/sql/idempotency-key.ts';
import { emptyDraft, type TaskDraft } from '../../tasks/model/insert.queries.ts';
import { newestTask } from '../../tasks/model/selection.queries.ts';
import { createTasks } from '../../tasks/write/tasks.write.ts';
import { createVisitor, limitVisits, linkNotFoundError } from '../model/visitor.ts';
import { describeProjectProblem } from '../public-links/public-links.policy.ts';
import { countSubmission, findFormByHash, type OpenFormRow } from './intake-forms.queries.ts';
import {
  intakeSecretInput,
  intakeSubmissionInput,
  openIntakeForm,
  SUBMISSIONS_PER_DAY_MAX,
} from './intake-forms.schema.ts';

const SUBMISSIONS_PER_IP_MAX = 20;
const ATTEMPTS_MAX = 5;

export const showIntakeForm = defineOperation(
  {
    name: 'showIntakeForm',
    summary: 'Get an intake form from its address',
    access: 'public',
    capability: null,
    effect: 'read',
    input: intakeSecretInput,
    output: openIntakeForm,
  },
  async ({ request }, { secret }) => {
    limitVisits(request);
    const { form } = await openForm(request, secret);
    return { projectName: form.project_name, workspaceName: form.workspace_name, greeting: form.greeting };
  },
);

export const submitIntakeForm = defineOperation(
  {
    name: 'submitIntakeForm',
    summary: 'Send an intake form, which creates a task',
    access: 'public',
    capability: null,
    effect: 'write',
    input: intakeSubmissionInput,
    output: successOutput,
  },
  async ({ request, now }, input) => {
    await requireWithinIpLimit(request);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const { form, cell, caller, today } = await openForm(request, input.secret);
      if (form.sent_on === today && form.sent >= SUBMISSIONS_PER_DAY_MAX) throw formFullError();
      const db = new GuardedDatabase(request.cell(cell), null);
      db.claimIdempotencyKey(createIdempotencyKey(request, caller, input.key, input.key), newestTask);
      const { workspace, timezone } = caller;
      const ctx: WriteContext = { caller: { workspace, timezone, member: form.owner }, via: 'form', now };
      try {
        await db.batch([
          ...countSubmission(form, today, now),
          ...createTasks(ctx, [toTaskDraft(form, input)]),
        ]);
        return { success: true as const };
      } catch (error) {
        // The form was sent before, and its task exists.
        if (error instanceof KeyUsedBeforeError) return { success: true as const };
        if (!(error instanceof WriteConflictError)) throw error;
      }
    }
    throw internalError();
  },
);

async function openForm(request: RequestScope, secret: string) {
  const cell = findTokenCell(request, secret);
  if (cell === null) throw linkNotFoundError();
  const hash = hashSecret(secret);
  const [form] = await request.cell(cell).batch([findFormByHash(hash)]);
  if (!form || describeProjectProblem(form) !== null) throw linkNotFoundError();
  const caller = createVisitor(form, cell, hash);
  request.budget.enter(caller);
  return { form, cell, caller, today: toWallClock(request.now, form.timezone).date };
}

/** Counted in a way that survives restarts, because each submission adds a task. */
async function requireWithinIpLimit(request: RequestScope) {
  const name = `intake:ip:${toAddressBlock(request.clientIp)}`;
  requireWithinRateLimit(await countHit(request, name, SUBMISSIONS_PER_IP_MAX, HOUR_MS, { durable: true }));
}

function formFullError(): AppError {
  return new AppError('rate_limited', 'This form has received too many requests today. Try again tomorrow.', {
    headers: { 'Retry-After': String(DAY_MS / 1_000) },
  });
}

function toTaskDraft(form: OpenFormRow, input: z.output<typeof intakeSubmissionInput>): TaskDraft {
  const { name, description, senderName, senderEmail } = input;
  const sender = senderName && senderEmail ? `${senderName} (${senderEmail})` : senderName || senderEmail;
  return {
    ...emptyDraft,
    assignee: form.assignee ?? 0,
    category: null,
    project: form.project,
    name: disarmMentions(name),
    description: description === '' ? null : toHtml(description),
    ...(form.tag !== null && { tags: JSON.stringify([form.tag]) }),
    ...(sender !== '' && { sender: disarmMentions(sender) }),
  };
}

/** Descriptions are HTML, but visitors write plain text. */
function toHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const paragraphs = disarmMentions(escaped).split(/\n{2,}/);
  return paragraphs.map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`).join('');
}

/** Keeps visitors from mentioning people whose ids they know. */
function disarmMentions(text: string): string {
  return text.replaceAll('@[', '@ [');
}
