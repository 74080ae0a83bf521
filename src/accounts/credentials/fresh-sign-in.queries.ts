import { number } from '../../kernel/sql/database.ts';
import { names, sql } from '../../kernel/sql/sql.ts';
import { users } from '../../schema/directory/accounts.ts';
import { browserSessions } from '../../schema/directory/browser-sessions.ts';

const s = names(browserSessions, 's');
const u = names(users, 'u');

/** 1 unless the password of the person was changed after they signed in. */
export function countFreshSignIn(userId: string, signedInAt: number) {
  return number(sql`
    SELECT count(*) AS n FROM ${u}
    WHERE ${u.id} = ${userId} AND coalesce(${u.password_changed_at}, 0) <= ${signedInAt}`);
}

/** 1 while the person is signed in in this browser. */
export function countBrowserSession(userId: string, idHash: string) {
  return number(sql`
    SELECT count(*) AS n FROM ${s} WHERE ${s.id_hash} = ${idHash} AND ${s.user_id} = ${userId}`);
}
