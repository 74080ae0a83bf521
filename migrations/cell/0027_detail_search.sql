-- The app also finds tasks by their checklist, tags and text fields (docs/adr/0010). These texts have an index of their own, so
-- that searches of names and descriptions read and find the same rows as before.
CREATE TABLE detail_texts (
  task INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL,
  texts TEXT NOT NULL
);
CREATE TABLE details_waiting (
  ws INTEGER NOT NULL,
  task INTEGER NOT NULL,
  PRIMARY KEY (ws, task)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE detail_search USING fts5(grams, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '_'");
INSERT INTO details_waiting (ws, task)
SELECT abs(ws), id FROM tasks WHERE label_keys <> '[]' OR field_values IS NOT NULL OR checklist_total > 0;
