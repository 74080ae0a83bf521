import { firstRow, number, queryBuilder, write } from '../../kernel/sql/database.ts';
import { columns, into, names, type Row, sql } from '../../kernel/sql/sql.ts';
import { emailVerifications, users } from '../../schema/directory/accounts.ts';

const u = names(users, 'u');
const v = names(emailVerifications, 'v');

const accountColumns = columns({
  id: users.id,
  email: users.email,
  name: users.name,
  image: users.image,
  password_hash: users.password_hash,
  password_changed_at: users.password_changed_at,
  verified_at: users.verified_at,
});
export type Account = Row<typeof accountColumns>;

const CLEAN_ROWS_MAX = 200;

/** Addresses are compared without regard to case. */
export function toEmailKey(email: string): string {
  return email.trim().toLowerCase();
}

export function findAccount(emailKey: string) {
  return firstRow(sql`
    SELECT ${accountColumns}
    FROM ${users} WHERE ${users.email_key} = ${emailKey}`);
}

const passwordChangeColumn = columns({ password_changed_at: users.password_changed_at });

/** When the password was last changed. */
export function findPasswordChange(id: string) {
  return firstRow(sql`SELECT ${passwordChangeColumn} FROM ${users} WHERE ${users.id} = ${id}`);
}

export function countAccounts(emailKey: string) {
  return number(sql`SELECT count(*) AS n FROM ${users} WHERE ${users.email_key} = ${emailKey}`);
}

/** Does nothing if the address is taken; `countUser` in the same batch tells. */
export function insertUser(
  user: { id: string; email: string; name: string; passwordHash: string },
  now: number,
) {
  return write(
    queryBuilder
      .insert(users)
      .values({
        id: user.id,
        email: user.email,
        email_key: toEmailKey(user.email),
        name: user.name,
        password_hash: user.passwordHash,
        created_at: now,
      })
      .onConflictDoNothing(),
  );
}

/** An account without a password, for which a provider vouches. Does nothing if the address is taken. */
export function insertVerifiedUser(
  user: { id: string; email: string; name: string; image: string | null },
  now: number,
) {
  return write(
    queryBuilder
      .insert(users)
      .values({ ...user, email_key: toEmailKey(user.email), verified_at: now, created_at: now })
      .onConflictDoNothing(),
  );
}

/**
 * An account whose address a mailed link proves. It replaces an account of the address that was never verified, and does
 * nothing to one that was.
 */
export function insertVerifiedAccount(
  user: { id: string; email: string; name: string; passwordHash: string },
  now: number,
) {
  return write(sql`
    INSERT INTO ${into(users, 'id', 'email', 'email_key', 'name', 'password_hash', 'verified_at', 'created_at')}
    VALUES (${user.id}, ${user.email}, ${toEmailKey(user.email)}, ${user.name}, ${user.passwordHash}, ${now}, ${now})
    ON CONFLICT (${users.email_key}) DO UPDATE SET ${users.name} = excluded.name,
      ${users.password_hash} = excluded.password_hash,
      ${users.verified_at} = excluded.verified_at
    WHERE users.verified_at IS NULL`);
}

export function countUser(id: string) {
  return number(sql`SELECT count(*) AS n FROM ${users} WHERE ${users.id} = ${id}`);
}

/** Who gets a mail with a verification link: the owner of the address, while it is not verified. */
export function unverifiedOwner(emailKey: string) {
  return sql`SELECT ${u.id}, ${u.email} FROM ${u} WHERE ${u.email_key} = ${emailKey}
    AND ${u.verified_at} IS NULL`;
}

/** The same, by id. */
export function userById(id: string) {
  return sql`SELECT ${u.id}, ${u.email} FROM ${u} WHERE ${u.id} = ${id}`;
}

/** A verification for whoever `owner` selects as `id`. */
export function insertVerification(
  owner: ReturnType<typeof userById>,
  tokenHash: string,
  expiresAt: number,
  now: number,
) {
  return write(sql`
    INSERT INTO ${into(emailVerifications, 'token_hash', 'user_id', 'expires_at', 'created_at')}
    SELECT ${tokenHash}, o.id, ${expiresAt}, ${now} FROM (${owner}) o`);
}

const accountByVerificationColumns = columns({
  id: u.id,
  email: u.email,
  name: u.name,
  image: u.image,
  verified_at: u.verified_at,
});

/** The account that a verification link belongs to, while the link is valid. */
export function findAccountByVerification(tokenHash: string, now: number) {
  return firstRow(sql`
    SELECT ${accountByVerificationColumns}
    FROM ${v} JOIN ${u} ON ${u.id} = ${v.user_id}
    WHERE ${v.token_hash} = ${tokenHash} AND ${v.expires_at} > ${now}`);
}

/** Does nothing if the password was changed in between. */
export function replacePasswordHash(userId: string, known: string, fresh: string) {
  return write(
    sql`UPDATE ${users} SET ${users.password_hash} = ${fresh} WHERE ${users.id} = ${userId}
      AND ${users.password_hash} = ${known}`,
  );
}

export function markVerified(userId: string, now: number) {
  return write(sql`UPDATE ${users} SET ${users.verified_at} = ${now} WHERE ${users.id} = ${userId}
    AND ${users.verified_at} IS NULL`);
}

/** Deletes a bounded number a run. */
export function deleteExpiredVerifications(now: number) {
  return write(sql`
    DELETE FROM ${emailVerifications} WHERE ${emailVerifications.token_hash} IN (
      SELECT ${v.token_hash} FROM ${v} WHERE ${v.expires_at} <= ${now}
      ORDER BY ${v.expires_at} LIMIT ${CLEAN_ROWS_MAX})`);
}
