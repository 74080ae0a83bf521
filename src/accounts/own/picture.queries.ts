import { eq } from 'drizzle-orm';
import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { type Argument, pickColumns, prepared, query } from '../../kernel/sql/prepared.ts';
import { aliasTable, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { users } from '../../schema/directory/accounts.ts';
import { pictures } from '../../schema/directory/own-account.ts';

const p = aliasTable(pictures, 'p');
const u = aliasTable(users, 'u');

export const insertPicture = prepared.write(
  (id: Argument<string>, userId: Argument<string>, fileType: Argument<string>, now: Argument<number>) =>
    query.insert(pictures).values({ id, user_id: userId, file_type: fileType, created_at: now }),
);

export const findPicture = prepared.firstRow((id: Argument<string>) =>
  query.select(pickColumns(pictures, 'file_type')).from(pictures).where(eq(pictures.id, id)),
);

const idColumn = selectColumns({ id: p.id });

export function listUnusedPictures(before: number, limit: number): Statement<{ id: string }[]> {
  return readRows(sql`
    SELECT ${idColumn} FROM ${p} INDEXED BY pictures_by_age CROSS JOIN ${u} ON ${u.id} = ${p.user_id}
    WHERE ${p.created_at} < ${before} AND (${u.image} IS NULL OR instr(${u.image}, ${p.id}) = 0)
    ORDER BY ${p.created_at} LIMIT ${limit}`);
}

export function deletePictures(ids: readonly string[]): Statement<void> {
  return write(
    sql`DELETE FROM ${pictures} WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  );
}
