import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { webhooks } from '../../schema/cell/webhooks.ts';
import { workspaces } from '../../schema/cell/workspaces.ts';

const h = aliasTable(webhooks, 'h');
const w = aliasTable(workspaces, 'w');

const sealedColumns = selectColumns({
  id: h.id,
  workspace: h.ws,
  workspace_id: w.id,
  secret: h.secret,
  previous_secret: h.previous_secret,
  previous_until: h.previous_until,
  older_secrets: h.older_secrets,
});
type SealedRow = Row<typeof sealedColumns>;

export function listSealedSecrets(after: number, limit: number): Statement<SealedRow[]> {
  return readRows(sql`
    SELECT ${sealedColumns}
    FROM ${h} CROSS JOIN ${w} ON ${w.no} = ${h.ws} WHERE ${h.id} > ${after} ORDER BY ${h.id} LIMIT ${limit}`);
}

export function replaceSealedSecret(
  workspace: number,
  id: number,
  before: string,
  after: string,
): Statement<void> {
  return write(sql`
    UPDATE ${webhooks} SET ${webhooks.secret} = CASE WHEN ${webhooks.secret} = ${before} THEN ${after} ELSE ${webhooks.secret} END,
      ${webhooks.previous_secret} = CASE WHEN ${webhooks.previous_secret} = ${before} THEN ${after} ELSE ${webhooks.previous_secret} END,
      ${webhooks.older_secrets} = replace(${webhooks.older_secrets}, ${before}, ${after})
    WHERE ${webhooks.ws} = ${workspace} AND ${webhooks.id} = ${id}
      AND (${webhooks.secret} = ${before} OR ${webhooks.previous_secret} = ${before}
        OR instr(${webhooks.older_secrets}, ${before}) > 0)`);
}
