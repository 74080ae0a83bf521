-- Reactions to comments (docs/adr/0061).
CREATE TABLE reactions (
  comment INTEGER NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
  reaction TEXT NOT NULL,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  -- A JSON list of the members who reacted, in the order of their reactions. Never empty.
  people TEXT NOT NULL,
  PRIMARY KEY (comment, reaction)
) WITHOUT ROWID;
