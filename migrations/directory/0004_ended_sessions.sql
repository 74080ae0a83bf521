-- Browser sessions that ended and that cells may still know (docs/adr/0041).
CREATE TABLE ended_sessions (
  id_hash TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX ended_sessions_by_user ON ended_sessions (user_id);
-- However a session is deleted, even manually, the cells forget it.
CREATE TRIGGER browser_sessions_ended AFTER DELETE ON browser_sessions BEGIN INSERT OR IGNORE INTO ended_sessions (id_hash, user_id) VALUES (OLD.id_hash, OLD.user_id); END;
