import { and, count, eq, gt, inArray, isNull, lte } from 'drizzle-orm';
import { write } from '../../kernel/sql/database.ts';
import { type Argument, pickColumns, prepared, query, type RowOf } from '../../kernel/sql/prepared.ts';
import { aliasTable, nameInsertColumns, sql } from '../../kernel/sql/sql.ts';
import { emailVerifications, users } from '../../schema/directory/accounts.ts';

const u = aliasTable(users, 'u');

const DELETIONS_PER_RUN_MAX = 200;

export function toEmailKey(email: string): string {
  return email.trim().toLowerCase();
}

export const findAccount = prepared.firstRow((emailKey: Argument<string>) =>
  query
    .select(
      pickColumns(
        users,
        'id',
        'email',
        'name',
        'image',
        'password_hash',
        'password_changed_at',
        'verified_at',
      ),
    )
    .from(users)
    .where(eq(users.email_key, emailKey)),
);
export type AccountRow = RowOf<typeof findAccount>;

export const findPasswordChangedAt = prepared.firstRow((id: Argument<string>) =>
  query.select(pickColumns(users, 'password_changed_at')).from(users).where(eq(users.id, id)),
);

export const countAccounts = prepared.number((emailKey: Argument<string>) =>
  query.select({ n: count() }).from(users).where(eq(users.email_key, emailKey)),
);

const insertUserRow = prepared.write(
  (
    user: Argument<{ id: string; email: string; name: string; passwordHash: string }>,
    emailKey: Argument<string>,
    now: Argument<number>,
  ) =>
    query
      .insert(users)
      .values({
        id: user.id,
        email: user.email,
        email_key: emailKey,
        name: user.name,
        password_hash: user.passwordHash,
        created_at: now,
      })
      .onConflictDoNothing(),
);

/** Inserts nothing if the address is taken, which `countUsersById` detects in the same batch. */
export function insertUser(user: Parameters<typeof insertUserRow>[0], now: number) {
  return insertUserRow(user, toEmailKey(user.email), now);
}

const insertVerifiedUserRow = prepared.write(
  (
    user: Argument<{ id: string; email: string; name: string; image: string | null }>,
    emailKey: Argument<string>,
    now: Argument<number>,
  ) =>
    query
      .insert(users)
      .values({
        id: user.id,
        email: user.email,
        email_key: emailKey,
        name: user.name,
        image: user.image,
        verified_at: now,
        created_at: now,
      })
      .onConflictDoNothing(),
);

export function insertVerifiedUser(user: Parameters<typeof insertVerifiedUserRow>[0], now: number) {
  return insertVerifiedUserRow(user, toEmailKey(user.email), now);
}

/**
 * Creates an account after a link in an email has verified the address. Replaces an unverified account, but never a
 * verified one.
 */
export function insertVerifiedAccount(
  user: { id: string; email: string; name: string; passwordHash: string },
  now: number,
) {
  return write(sql`
    INSERT INTO ${nameInsertColumns(users, 'id', 'email', 'email_key', 'name', 'password_hash', 'verified_at', 'created_at')}
    VALUES (${user.id}, ${user.email}, ${toEmailKey(user.email)}, ${user.name}, ${user.passwordHash}, ${now}, ${now})
    ON CONFLICT (${users.email_key}) DO UPDATE SET ${users.name} = excluded.name,
      ${users.password_hash} = excluded.password_hash,
      ${users.verified_at} = excluded.verified_at
    WHERE users.verified_at IS NULL`);
}

export const countUsersById = prepared.number((id: Argument<string>) =>
  query.select({ n: count() }).from(users).where(eq(users.id, id)),
);

export function selectUnverifiedUser(emailKey: string) {
  return sql`SELECT ${u.id}, ${u.email} FROM ${u} WHERE ${u.email_key} = ${emailKey}
    AND ${u.verified_at} IS NULL`;
}

export function selectUserById(id: string) {
  return sql`SELECT ${u.id}, ${u.email} FROM ${u} WHERE ${u.id} = ${id}`;
}

export function insertVerification(
  owner: ReturnType<typeof selectUserById>,
  tokenHash: string,
  expiresAt: number,
  now: number,
) {
  return write(sql`
    INSERT INTO ${nameInsertColumns(emailVerifications, 'token_hash', 'user_id', 'expires_at', 'created_at')}
    SELECT ${tokenHash}, o.id, ${expiresAt}, ${now} FROM (${owner}) o`);
}

export const findAccountByVerification = prepared.firstRow(
  (tokenHash: Argument<string>, now: Argument<number>) =>
    query
      .select(pickColumns(users, 'id', 'email', 'name', 'image', 'verified_at'))
      .from(emailVerifications)
      .innerJoin(users, eq(users.id, emailVerifications.user_id))
      .where(and(eq(emailVerifications.token_hash, tokenHash), gt(emailVerifications.expires_at, now))),
);

export const replacePasswordHash = prepared.write(
  (userId: Argument<string>, known: Argument<string>, fresh: Argument<string>) =>
    query
      .update(users)
      .set({ password_hash: fresh })
      .where(and(eq(users.id, userId), eq(users.password_hash, known))),
);

export const markEmailVerified = prepared.write((userId: Argument<string>, now: Argument<number>) =>
  query
    .update(users)
    .set({ verified_at: now })
    .where(and(eq(users.id, userId), isNull(users.verified_at))),
);

export const deleteExpiredVerifications = prepared.write((now: Argument<number>) => {
  const expired = query
    .select(pickColumns(emailVerifications, 'token_hash'))
    .from(emailVerifications)
    .where(lte(emailVerifications.expires_at, now))
    .orderBy(emailVerifications.expires_at)
    .limit(DELETIONS_PER_RUN_MAX);
  return query.delete(emailVerifications).where(inArray(emailVerifications.token_hash, expired));
});
