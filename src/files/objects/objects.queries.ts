import { assertUnchanged, firstRow, inList, rows, type Statement, write } from '../../kernel/sql/database.ts';
import { columns, into, names, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { attachments, objectsToDelete, uploads } from '../../schema/cell/attachments.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';

const excluded = names(objectsToDelete, 'excluded');
const a = names(attachments, 'a');
const m = names(activeMembers, 'm');
const o = names(objectsToDelete, 'o');
const u = names(uploads, 'u');

const etagColumn = columns({ etag: a.etag });

/** Returns the object's ETag if it belongs to an attachment in the workspace of this active member. */
export function findObject(objectKey: string, member: number): Statement<{ etag: string } | null> {
  return firstRow(sql`
    SELECT ${etagColumn} FROM ${a} CROSS JOIN ${m} ON ${m.no} = ${member} AND ${m.ws} = ${a.ws}
    WHERE ${a.object_key} = ${objectKey}`);
}

/** Aborts the batch if the object is already being deleted. */
export function scheduleDeletion(objectKey: string, at: number): Statement<void>[] {
  return [
    write(sql`
      INSERT INTO ${into(objectsToDelete, 'object_key', 'delete_at')} VALUES (${objectKey}, ${at})
      ON CONFLICT (${objectsToDelete.object_key}) DO UPDATE
        SET ${objectsToDelete.delete_at} = ${excluded.delete_at} WHERE ${objectsToDelete.taken} = 0`),
    assertUnchanged(sql`changes() = 1`),
  ];
}

/** Removes objects from the deletion list. Aborts the batch if one of them may already be deleted. */
export function unscheduleDeletions(objectKeys: readonly string[]): Statement<void>[] {
  return [
    write(sql`DELETE FROM ${objectsToDelete} WHERE ${objectsToDelete.object_key} IN ${inList(objectKeys)}
      AND ${objectsToDelete.taken} = 0`),
    assertUnchanged(sql`changes() = ${objectKeys.length}`),
  ];
}

const takenKeyColumn = columns({ object_key: objectsToDelete.object_key });

export function hasDueObjects({ now }: { now: number }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${o} WHERE ${o.delete_at} <= ${now})`;
}

/** Claims objects that are due for deletion. If the run fails, a run after `retryAt` claims them again. */
export function claimDueObjects(
  now: number,
  retryAt: number,
  limit: number,
): Statement<{ object_key: string }[]> {
  return rows(sql`
    UPDATE ${objectsToDelete} SET ${objectsToDelete.taken} = 1, ${objectsToDelete.delete_at} = ${retryAt}
      WHERE ${objectsToDelete.object_key} IN (
      SELECT ${o.object_key} FROM ${o} WHERE ${o.delete_at} <= ${now} ORDER BY ${o.delete_at} LIMIT ${limit})
    RETURNING ${takenKeyColumn}`);
}

export function clearDeletedObjects(objectKeys: readonly string[]): Statement<void> {
  return write(
    sql`DELETE FROM ${objectsToDelete} WHERE ${objectsToDelete.object_key} IN ${inList(objectKeys)}`,
  );
}

const objectKeyColumn = columns({ object_key: typed<string>(sql`k.value`) });

export function listUnknownKeys(keys: readonly string[]): Statement<{ object_key: string }[]> {
  return rows(sql`
    SELECT ${objectKeyColumn} FROM json_each(${JSON.stringify(keys)}) k
    WHERE NOT EXISTS (SELECT 1 FROM ${a} WHERE ${a.object_key} = k.value)
      AND NOT EXISTS (SELECT 1 FROM ${u} WHERE ${u.s3_key} = k.value)
      AND NOT EXISTS (SELECT 1 FROM ${o} WHERE ${o.object_key} = k.value)`);
}
