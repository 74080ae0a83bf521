-- Members without an account. accountable is the number of the member who answers for the bot.
CREATE TABLE bots (
  member INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL,
  accountable INTEGER NOT NULL,
  icon TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX bots_by_workspace ON bots (ws);
