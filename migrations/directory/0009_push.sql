-- Browsers in which a person has turned on push notifications (docs/adr/0066).
CREATE TABLE push_subscriptions (
  session_hash TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  p256dh TEXT NOT NULL,
  auth TEXT NOT NULL,
  server_key TEXT NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX push_subscriptions_by_endpoint ON push_subscriptions (endpoint);
CREATE INDEX push_subscriptions_by_user ON push_subscriptions (user_id);
-- However a session is deleted, even manually, its browser gets no more messages.
CREATE TRIGGER browser_sessions_push AFTER DELETE ON browser_sessions BEGIN DELETE FROM push_subscriptions WHERE session_hash = OLD.id_hash; END;

CREATE TABLE push_preferences (
  user_id TEXT NOT NULL PRIMARY KEY,
  types TEXT NOT NULL
) WITHOUT ROWID;
-- A deleted account has no settings.
CREATE TRIGGER users_push AFTER UPDATE OF deleted_at ON users WHEN NEW.deleted_at IS NOT NULL BEGIN DELETE FROM push_preferences WHERE user_id = NEW.id; END;
