import { sql } from 'drizzle-orm';
import { firstRow, number, queryBuilder, write } from '../kernel/database.ts';
import { users } from './accounts.sql.ts';

export interface Account {
  id: string;
  email: string;
  name: string;
  image: string | null;
  passwordHash: string | null;
  verifiedAt: number | null;
}

const CLEAN_ROWS_MAX = 200;

/** Addresses are compared without regard to case. */
export function toEmailKey(email: string): string {
  return email.trim().toLowerCase();
}

export function findAccount(emailKey: string) {
  return firstRow<Account>(sql`
    SELECT id, email, name, image, password_hash AS passwordHash, verified_at AS verifiedAt
    FROM users WHERE email_key = ${emailKey}`);
}

export function countAccounts(emailKey: string) {
  return number(sql`SELECT count(*) AS n FROM users WHERE email_key = ${emailKey}`);
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
    INSERT INTO users (id, email, email_key, name, password_hash, verified_at, created_at)
    VALUES (${user.id}, ${user.email}, ${toEmailKey(user.email)}, ${user.name}, ${user.passwordHash}, ${now}, ${now})
    ON CONFLICT (email_key) DO UPDATE SET name = excluded.name, password_hash = excluded.password_hash,
      verified_at = excluded.verified_at
    WHERE users.verified_at IS NULL`);
}

export function countUser(id: string) {
  return number(sql`SELECT count(*) AS n FROM users WHERE id = ${id}`);
}

/** Who gets a mail with a verification link: the owner of the address, while it is not verified. */
export function unverifiedOwner(emailKey: string) {
  return sql`SELECT u.id, u.email FROM users u WHERE u.email_key = ${emailKey} AND u.verified_at IS NULL`;
}

/** The same, by id. */
export function userById(id: string) {
  return sql`SELECT u.id, u.email FROM users u WHERE u.id = ${id}`;
}

/** A verification for whoever `owner` selects as `id`. */
export function insertVerification(
  owner: ReturnType<typeof userById>,
  tokenHash: string,
  expiresAt: number,
  now: number,
) {
  return write(sql`
    INSERT INTO email_verifications (token_hash, user_id, expires_at, created_at)
    SELECT ${tokenHash}, o.id, ${expiresAt}, ${now} FROM (${owner}) o`);
}

/** The account that a verification link belongs to, while the link is valid. */
export function findAccountByVerification(tokenHash: string, now: number) {
  return firstRow<Omit<Account, 'passwordHash'>>(sql`
    SELECT u.id AS id, u.email AS email, u.name AS name, u.image AS image, u.verified_at AS verifiedAt
    FROM email_verifications v JOIN users u ON u.id = v.user_id
    WHERE v.token_hash = ${tokenHash} AND v.expires_at > ${now}`);
}

/** Does nothing if the password was changed in between. */
export function replacePasswordHash(userId: string, known: string, fresh: string) {
  return write(
    sql`UPDATE users SET password_hash = ${fresh} WHERE id = ${userId} AND password_hash = ${known}`,
  );
}

export function markVerified(userId: string, now: number) {
  return write(sql`UPDATE users SET verified_at = ${now} WHERE id = ${userId} AND verified_at IS NULL`);
}

/** Deletes a bounded number a run. */
export function deleteExpiredVerifications(now: number) {
  return write(sql`
    DELETE FROM email_verifications WHERE token_hash IN (
      SELECT v.token_hash FROM email_verifications v WHERE v.expires_at <= ${now}
      ORDER BY v.expires_at LIMIT ${CLEAN_ROWS_MAX})`);
}
