-- The member whose own data an export contains, or 0 for the whole workspace. Each runs one export at a time.
ALTER TABLE exports ADD COLUMN person INTEGER NOT NULL DEFAULT 0;
DROP INDEX exports_running;
CREATE UNIQUE INDEX exports_running ON exports (ws, person) WHERE status = 'running';
