import type * as z from 'zod';
import type { Caller } from '../../kernel/access/access.ts';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { forbiddenError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay, toTimestamp } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { createDerivedToken, recreateDerivedToken } from '../../kernel/secrets/derived-token.ts';
import { createSecret, hashSecret } from '../../kernel/secrets/tokens.ts';
import { assertProjectVersion, findProjectState } from '../../projects/operations/project-changes.queries.ts';
import { mayChangeProject, requireEditableProject } from '../../projects/operations/projects.policy.ts';
import { assertFilterUnchanged, findFilter } from '../../tasks/saved-filters/saved-filters.queries.ts';
import { filterNotFoundError, parseFilter } from '../../tasks/saved-filters/saved-filters.ts';
import { SHARED_PATH, toLinkToken } from './link-token.ts';
import {
  describeFilterProblem,
  describeProjectProblem,
  linkToManageNotFoundError,
  requirePermissionToShareFilters,
} from './public-links.policy.ts';
import {
  assertLinksMax,
  assertLinkVersion,
  deleteLink,
  findLink,
  insertLink,
  type LinkRow,
  type LinkTarget,
  listLinks,
  type ManagedLinkRow,
  updateLink,
} from './public-links.queries.ts';
import {
  linkCreateInput,
  linkIdInput,
  linkTargetInput,
  linkUpdateInput,
  publicLinkList,
} from './public-links.schema.ts';

export const listPublicLinks = defineOperation(
  {
    name: 'listPublicLinks',
    summary: 'List the public links to a project or a saved filter',
    access: 'session',
    capability: 'changeProjects',
    effect: 'read',
    input: linkTargetInput,
    output: publicLinkList,
  },
  async (ctx, input) => {
    const target = toTarget(input);
    const { name, problem, links } = await readManageableTarget(ctx, target);
    return { name, problem, data: links.map((row) => toPublicLink(ctx, row)) };
  },
);

export const createPublicLink = defineOperation(
  {
    name: 'createPublicLink',
    summary: 'Create a public link to a project or a saved filter',
    access: 'session',
    capability: 'changeProjects',
    effect: 'write',
    input: linkCreateInput,
    output: successOutput,
    replay: successReplay,
    audits: ['public_link.created'],
  },
  async (ctx, { showsNames, expiresOn = null, ...input }) => {
    const { caller, db, now, request } = ctx;
    const target = toTarget(input);
    const { name, problem, publishedFilter, assertUnchanged } = await readManageableTarget(ctx, target);
    if (problem !== null) throw invalidRequestError(problem);
    requireFutureDay(ctx, expiresOn);
    const nonce = createSecret();
    const token = createDerivedToken(
      request.config.sessionSecret,
      toLinkToken(caller.cell, caller.workspace, nonce),
    );
    const draft = {
      project: 'project' in target ? target.project : null,
      filter: 'filter' in target ? target.filter : null,
      published_filter: publishedFilter,
      hash: hashSecret(token),
      nonce,
      shows_names: showsNames ? 1 : 0,
      expires_on: expiresOn,
    } as const;
    await db.batch([
      assertUnchanged,
      insertLink(caller, draft, now),
      assertLinksMax(caller, target),
      recordAuditEntry(ctx, {
        type: 'public_link.created',
        subject: { name },
        details: {
          target: 'project' in target ? 'project' : 'filter',
          names: showsNames,
          expires: expiresOn,
        },
      }),
    ]);
    return { success: true as const };
  },
);

export const updatePublicLink = defineOperation(
  {
    name: 'updatePublicLink',
    summary: "Change whether a public link shows people's names, or when it expires",
    access: 'session',
    capability: 'changeProjects',
    effect: 'write',
    input: linkUpdateInput,
    output: successOutput,
    replay: successReplay,
    audits: ['public_link.updated'],
  },
  async (ctx, { id, ...wanted }) => {
    const { caller, db } = ctx;
    const link = await requireManageableLink(ctx, id);
    const current = { showsNames: link.shows_names === 1, expiresOn: link.expires_on };
    requireCurrentSnapshot(ctx.snapshot, wanted, current, null);
    const { showsNames = current.showsNames, expiresOn = current.expiresOn } = wanted;
    if (showsNames === current.showsNames && expiresOn === current.expiresOn)
      return { success: true as const };
    if (expiresOn !== current.expiresOn) requireFutureDay(ctx, expiresOn);
    await db.batch([
      assertLinkVersion(caller, link),
      ...assertProjectUnchanged(caller, link),
      updateLink(caller, { id, shows_names: showsNames ? 1 : 0, expires_on: expiresOn }),
      recordAuditEntry(ctx, {
        type: 'public_link.updated',
        subject: { name: link.name },
        details: { names: showsNames, expires: expiresOn },
      }),
    ]);
    return { success: true as const };
  },
);

export const revokePublicLink = defineOperation(
  {
    name: 'revokePublicLink',
    summary: 'Revoke a public link; it stops working immediately',
    access: 'session',
    capability: 'changeProjects',
    effect: 'write',
    input: linkIdInput,
    output: successOutput,
    replay: successReplay,
    audits: ['public_link.revoked'],
  },
  async (ctx, { id }) => {
    const link = await requireManageableLink(ctx, id);
    await ctx.db.batch([
      assertLinkVersion(ctx.caller, link),
      ...assertProjectUnchanged(ctx.caller, link),
      deleteLink(ctx.caller, id),
      recordAuditEntry(ctx, { type: 'public_link.revoked', subject: { name: link.name } }),
    ]);
    return { success: true as const };
  },
);

function toTarget({ projectId, filterId }: Partial<z.output<typeof linkTargetInput>>): LinkTarget {
  if (projectId !== undefined && filterId === undefined) return { project: projectId };
  if (filterId !== undefined && projectId === undefined) return { filter: filterId };
  throw invalidRequestError('Send either projectId or filterId.');
}

async function readManageableTarget(ctx: Context, target: LinkTarget) {
  const { caller, db } = ctx;
  const list = listLinks(caller, target);
  if ('project' in target) {
    const [state, links] = await db.batch([findProjectState(caller, target.project), list]);
    const project = requireEditableProject(ctx, target.project, state);
    return {
      name: project.name,
      problem: describeProjectProblem(project),
      publishedFilter: null,
      assertUnchanged: assertProjectVersion(caller, project),
      links,
    };
  }
  const [filter, links] = await db.batch([findFilter(caller, target.filter), list]);
  if (!filter) throw filterNotFoundError(target.filter);
  requirePermissionToShareFilters(ctx);
  return {
    name: filter.name,
    problem: describeFilterProblem(filter, parseFilter(filter.filter)),
    publishedFilter: filter.filter,
    assertUnchanged: assertFilterUnchanged(caller, filter),
    links,
  };
}

async function requireManageableLink(ctx: Context, id: number): Promise<ManagedLinkRow> {
  const { caller, db } = ctx;
  const [link] = await db.batch([findLink(caller, id)]);
  if (!link) throw linkToManageNotFoundError(id);
  if (link.owner === null) requirePermissionToShareFilters(ctx);
  else if (!mayChangeProject(ctx, link.owner)) {
    throw forbiddenError(
      'Only the project lead, and workspace owners and admins, can change this link. Ask one of them.',
    );
  }
  return link;
}

/** The caller may only lead the project until someone else takes it over. */
function assertProjectUnchanged(caller: Caller, { project, project_version: version }: ManagedLinkRow) {
  return project === null || version === null ? [] : [assertProjectVersion(caller, { id: project, version })];
}

function requireFutureDay({ caller, now }: Context, day: string | null) {
  const today = toWallClock(now, caller.timezone).date;
  if (day === null || day >= today) return;
  throw invalidRequestError(`expiresOn must be today or later; got '${day}'`, 'expiresOn');
}

function toPublicLink({ caller, request, now }: Context, row: LinkRow) {
  const token = recreateDerivedToken(request, {
    ...toLinkToken(caller.cell, caller.workspace, row.nonce),
    hash: row.hash,
  });
  return {
    id: row.id,
    address: token === null ? null : `${request.origin}${SHARED_PATH}/${token}`,
    showsNames: row.shows_names === 1,
    expiresOn: row.expires_on,
    hasExpired: row.expires_on !== null && row.expires_on < toWallClock(now, caller.timezone).date,
    createdBy: { name: row.creator_name },
    createdAt: toTimestamp(row.created_at),
    lastUsedAt: row.last_used_at === null ? null : toTimestamp(row.last_used_at),
  };
}
