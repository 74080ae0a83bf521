import { and, eq } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import { readFirstRow, readRows, rejectUnless, type Statement } from '../../kernel/sql/database.ts';
import { type Argument, hasRow, prepared, query } from '../../kernel/sql/prepared.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { savedFilters } from '../../schema/cell/saved-filters.ts';
import { publicLinks } from '../../schema/cell/sharing.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { isProjectVisible } from '../../tasks/visibility/project-visibility.queries.ts';
import { tooManyLinksError } from './public-links.policy.ts';
import { LINKS_MAX } from './public-links.schema.ts';

const f = aliasLeftJoinedTable(savedFilters, 'f');
const l = aliasTable(publicLinks, 'l');
const m = aliasTable(members, 'm');
const p = aliasLeftJoinedTable(projects, 'p');

export type LinkTarget = { readonly project: number } | { readonly filter: number };

const linkColumns = selectColumns({
  id: l.id,
  hash: l.hash,
  nonce: l.nonce,
  shows_names: l.shows_names,
  expires_on: l.expires_on,
  creator_name: m.name,
  created_at: l.created_at,
  last_used_at: l.last_used_at,
  version: l.version,
});
export type LinkRow = Row<typeof linkColumns>;

function isLinkTo(target: LinkTarget): SQL {
  return 'project' in target ? sql`${l.project} = ${target.project}` : sql`${l.filter} = ${target.filter}`;
}

export function listLinks({ workspace }: Caller, target: LinkTarget): Statement<LinkRow[]> {
  return readRows(sql`
    SELECT ${linkColumns} FROM ${l} CROSS JOIN ${m} ON ${m.no} = ${l.creator}
    WHERE ${l.ws} = ${workspace} AND ${isLinkTo(target)} ORDER BY ${l.id} DESC`);
}

const managedLinkColumns = selectColumns({
  id: l.id,
  project: l.project,
  filter: l.filter,
  shows_names: l.shows_names,
  expires_on: l.expires_on,
  version: l.version,
  name: withType<string>(sql`coalesce(${p.name}, ${f.name})`),
  owner: p.owner,
  project_version: p.version,
});
export type ManagedLinkRow = Row<typeof managedLinkColumns>;

/** Returns null if the link's project isn't visible to the caller. */
export function findLink(caller: Caller, id: number): Statement<ManagedLinkRow | null> {
  return readFirstRow(sql`
    SELECT ${managedLinkColumns} FROM ${l}
    LEFT JOIN ${p} ON ${p.id} = ${l.project} AND ${p.ws} = ${l.ws}
    LEFT JOIN ${f} ON ${f.id} = ${l.filter} AND ${f.ws} = ${l.ws}
    WHERE ${l.ws} = ${caller.workspace} AND ${l.id} = ${id}
      AND (${l.project} IS NULL OR ${isProjectVisible(caller, l.project)})`);
}

export const assertLinkVersion = prepared.assertUnchanged(
  ({ workspace }: Argument<Caller>, { id, version }: Argument<Pick<ManagedLinkRow, 'id' | 'version'>>) =>
    hasRow(
      publicLinks,
      and(eq(publicLinks.ws, workspace), eq(publicLinks.id, id), eq(publicLinks.version, version)),
    ),
);

interface LinkDraft {
  readonly project: number | null;
  readonly filter: number | null;
  readonly published_filter: string | null;
  readonly hash: string;
  readonly nonce: string;
  readonly shows_names: 0 | 1;
  readonly expires_on: string | null;
}

export const insertLink = prepared.write(
  (
    { workspace, member }: Argument<Caller>,
    { project, filter, published_filter, hash, nonce, shows_names, expires_on }: Argument<LinkDraft>,
    now: Argument<number>,
  ) =>
    query.insert(publicLinks).values({
      ws: workspace,
      project,
      filter,
      published_filter,
      hash,
      nonce,
      shows_names,
      expires_on,
      creator: member,
      created_at: now,
    }),
);

/** Must run after the insert, so that the new link is counted. */
export function assertLinksMax({ workspace }: Caller, target: LinkTarget): Statement<void> {
  return rejectUnless(
    sql`(SELECT count(*) FROM ${l} WHERE ${l.ws} = ${workspace} AND ${isLinkTo(target)}) <= ${LINKS_MAX}`,
    tooManyLinksError(),
  );
}

export const updateLink = prepared.write(
  (
    { workspace }: Argument<Caller>,
    { id, shows_names, expires_on }: Argument<Pick<ManagedLinkRow, 'id' | 'shows_names' | 'expires_on'>>,
  ) =>
    query
      .update(publicLinks)
      .set({ shows_names, expires_on, version: sql`${publicLinks.version} + 1` })
      .where(and(eq(publicLinks.ws, workspace), eq(publicLinks.id, id))),
);

export const deleteLink = prepared.write(({ workspace }: Argument<Caller>, id: Argument<number>) =>
  query.delete(publicLinks).where(and(eq(publicLinks.ws, workspace), eq(publicLinks.id, id))),
);
