import { firstRow, rows, type Statement, write } from '../../kernel/sql/database.ts';
import { columns, into, names, sql } from '../../kernel/sql/sql.ts';
import { users } from '../../schema/directory/accounts.ts';
import { pictures } from '../../schema/directory/own-account.ts';

const p = names(pictures, 'p');
const u = names(users, 'u');

export function insertPicture(id: string, userId: string, fileType: string, now: number): Statement<void> {
  return write(sql`
    INSERT INTO ${into(pictures, 'id', 'user_id', 'file_type', 'created_at')}
      VALUES (${id}, ${userId}, ${fileType}, ${now})`);
}

const fileTypeColumn = columns({ file_type: p.file_type });

export function findPicture(id: string): Statement<{ file_type: string } | null> {
  return firstRow(sql`SELECT ${fileTypeColumn} FROM ${p} WHERE ${p.id} = ${id}`);
}

const idColumn = columns({ id: p.id });

/** Pictures made before a time that no account shows. */
export function listUnshown(before: number, limit: number): Statement<{ id: string }[]> {
  return rows(sql`
    SELECT ${idColumn} FROM ${p} INDEXED BY pictures_by_age CROSS JOIN ${u} ON ${u.id} = ${p.user_id}
    WHERE ${p.created_at} < ${before} AND (${u.image} IS NULL OR instr(${u.image}, ${p.id}) = 0)
    ORDER BY ${p.created_at} LIMIT ${limit}`);
}

/** Does nothing to one that an account shows after all. */
export function deletePictures(ids: readonly string[]): Statement<void> {
  return write(
    sql`DELETE FROM ${pictures} WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  );
}
