-- Tasks whose texts have not been indexed yet (docs/adr/0092). Their row in task_search holds the token __unlisted, so that
-- searches read their texts.
CREATE TABLE search_waiting (
  task INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL
);

-- The archived flag leaves tokens and rowids: an archived task now belongs to the same owner (ws * 2) as the others. Its tokens
-- cannot be made here, so it waits. The long expressions write numbers in base 36, as tokens do.
INSERT INTO search_waiting (task, ws) SELECT id, ws FROM tasks WHERE archived = 1 AND ws > 0;
DELETE FROM task_search WHERE rowid IN (SELECT ((abs(ws) * 2 + 1) << 32) | id FROM tasks WHERE archived = 1);
INSERT INTO task_search (rowid, grams)
  SELECT ((ws * 2) << 32) | id, owner || '__unlisted ' || owner || '__project_' || project FROM (
    SELECT id, ws, ltrim(
        substr(digits, ws * 2 / 2176782336 % 36 + 1, 1) || substr(digits, ws * 2 / 60466176 % 36 + 1, 1)
        || substr(digits, ws * 2 / 1679616 % 36 + 1, 1) || substr(digits, ws * 2 / 46656 % 36 + 1, 1)
        || substr(digits, ws * 2 / 1296 % 36 + 1, 1) || substr(digits, ws * 2 / 36 % 36 + 1, 1)
        || substr(digits, ws * 2 % 36 + 1, 1), '0') AS owner,
      ltrim(
        substr(digits, project / 2176782336 % 36 + 1, 1) || substr(digits, project / 60466176 % 36 + 1, 1)
        || substr(digits, project / 1679616 % 36 + 1, 1) || substr(digits, project / 46656 % 36 + 1, 1)
        || substr(digits, project / 1296 % 36 + 1, 1) || substr(digits, project / 36 % 36 + 1, 1)
        || substr(digits, project % 36 + 1, 1), '0') AS project
    FROM tasks CROSS JOIN (SELECT '0123456789abcdefghijklmnopqrstuvwxyz' AS digits)
    WHERE archived = 1 AND ws > 0);
