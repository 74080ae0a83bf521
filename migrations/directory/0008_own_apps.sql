-- Apps that a person has registered and manages. Clients that register themselves have no owner.
ALTER TABLE oauth_clients ADD COLUMN owner_id TEXT;
-- How many people have ever authorized an owned app.
ALTER TABLE oauth_clients ADD COLUMN people INTEGER NOT NULL DEFAULT 0;
-- The row of a deleted app stays until its tokens in all cells are revoked.
ALTER TABLE oauth_clients ADD COLUMN deleted_at INTEGER;
CREATE INDEX oauth_clients_by_owner ON oauth_clients (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX oauth_clients_deleted ON oauth_clients (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE oauth_app_people (
  client_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  workspace_id TEXT NOT NULL,
  cell INTEGER NOT NULL,
  PRIMARY KEY (client_id, user_id, workspace_id)
) WITHOUT ROWID;
CREATE INDEX oauth_app_people_by_person ON oauth_app_people (user_id);
