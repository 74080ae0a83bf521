-- What people did to their accounts, until the cells have copied it to their audit logs (docs/adr/0046).
CREATE TABLE account_acts (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL,
  type TEXT NOT NULL,
  credential_kind TEXT NOT NULL,
  ip TEXT,
  user_agent TEXT,
  details TEXT NOT NULL DEFAULT '{}',
  occurred_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX account_acts_by_user ON account_acts (user_id);
CREATE TRIGGER account_acts_unsettle AFTER INSERT ON account_acts BEGIN UPDATE users SET version = version + 1, is_settled = 0 WHERE id = NEW.user_id; END;
-- From where the person authorized the app.
ALTER TABLE oauth_codes ADD COLUMN ip TEXT;
ALTER TABLE oauth_codes ADD COLUMN user_agent TEXT;
