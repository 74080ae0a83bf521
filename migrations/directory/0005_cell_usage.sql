-- How full and how busy each cell is, as its keeper last measured: new workspaces go to the one with the most room.
CREATE TABLE cell_usage (
  cell INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL,
  -- Tasks and comments created within a day.
  changes INTEGER NOT NULL,
  measured_at INTEGER NOT NULL
);
