-- Long descriptions, apart from the rows of their tasks (docs/adr/0011): any change of a row writes all of it. Not WITHOUT
-- ROWID: finding a row of an index reads all of it.
CREATE TABLE long_texts (
  id INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL,
  description_key TEXT NOT NULL,
  description TEXT NOT NULL
);
ALTER TABLE tasks ADD COLUMN long_text INTEGER;
CREATE INDEX tasks_by_long_text ON tasks (long_text) WHERE long_text IS NOT NULL;
