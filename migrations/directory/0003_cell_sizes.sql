-- How many workspaces each cell holds, so that whoever places a new one need not count them all. Kept by a trigger: what
-- runs during a rollout, scripts and restores place workspaces too.
CREATE TABLE cell_sizes (
  cell INTEGER PRIMARY KEY,
  workspaces INTEGER NOT NULL
);
INSERT INTO cell_sizes (cell, workspaces) SELECT cell, count(*) FROM workspaces GROUP BY cell;
CREATE TRIGGER workspaces_placed AFTER INSERT ON workspaces BEGIN INSERT INTO cell_sizes (cell, workspaces) VALUES (new.cell, 1) ON CONFLICT (cell) DO UPDATE SET workspaces = workspaces + 1; END;
CREATE TRIGGER workspaces_removed AFTER DELETE ON workspaces BEGIN UPDATE cell_sizes SET workspaces = workspaces - 1 WHERE cell = old.cell; END;
