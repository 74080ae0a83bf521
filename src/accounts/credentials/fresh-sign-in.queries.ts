import { and, count, eq, lte } from 'drizzle-orm';
import { type Argument, prepared, query } from '../../kernel/sql/prepared.ts';
import { sql } from '../../kernel/sql/sql.ts';
import { users } from '../../schema/directory/accounts.ts';
import { browserSessions } from '../../schema/directory/browser-sessions.ts';

export const countFreshSignIns = prepared.number((userId: Argument<string>, signedInAt: Argument<number>) =>
  query
    .select({ n: count() })
    .from(users)
    .where(and(eq(users.id, userId), lte(sql`coalesce(${users.password_changed_at}, 0)`, signedInAt))),
);

export const countBrowserSessionsById = prepared.number(
  (userId: Argument<string>, idHash: Argument<string>) =>
    query
      .select({ n: count() })
      .from(browserSessions)
      .where(and(eq(browserSessions.id_hash, idHash), eq(browserSessions.user_id, userId))),
);
