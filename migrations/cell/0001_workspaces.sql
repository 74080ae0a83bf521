-- Everything that belongs to a workspace. Members, workspaces and projects carry short integers within the cell, so
-- that indexes stay small; the ids that users see for people and workspaces are text.
CREATE TABLE workspaces (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  plan TEXT NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'medium', 'pro')),
  timezone TEXT NOT NULL DEFAULT 'UTC',
  daily_capacity_hours REAL NOT NULL DEFAULT 8,
  created_at INTEGER NOT NULL
);

-- name, email and image are copies of those in the directory, so that no join leaves the cell.
CREATE TABLE members (
  no INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  user_id TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'lead', 'member', 'client')),
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  image TEXT,
  cells TEXT NOT NULL DEFAULT '[0]',
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX members_by_workspace ON members (ws, user_id);
CREATE INDEX members_by_user ON members (user_id);

-- Whatever is cached of a caller carries the version of the member. Triggers raise it, so that a change made by hand
-- (an UPDATE by an operator) takes effect at once as well.
CREATE TRIGGER members_version AFTER UPDATE OF role, name, email, image, cells ON members WHEN NEW.version = OLD.version BEGIN UPDATE members SET version = OLD.version + 1 WHERE no = NEW.no; END;
CREATE TRIGGER workspaces_version AFTER UPDATE OF name, plan, timezone, daily_capacity_hours ON workspaces BEGIN UPDATE members SET version = version + 1 WHERE ws = NEW.no; END;

CREATE TABLE credentials (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  member INTEGER NOT NULL REFERENCES members (no),
  kind TEXT NOT NULL CHECK (kind IN ('api_key', 'oauth')),
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  scopes TEXT NOT NULL,
  client_id TEXT,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER,
  revoked_at INTEGER
);
CREATE INDEX credentials_by_member ON credentials (member);

CREATE TABLE projects (
  id INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  name TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL DEFAULT 'active',
  owner INTEGER NOT NULL REFERENCES members (no),
  created_at INTEGER NOT NULL
);
CREATE INDEX projects_by_workspace ON projects (ws);

-- The owner of a project has a row here too: "member of a project" always includes them.
CREATE TABLE project_members (
  project INTEGER NOT NULL REFERENCES projects (id),
  member INTEGER NOT NULL REFERENCES members (no),
  PRIMARY KEY (project, member)
) WITHOUT ROWID;
CREATE INDEX project_members_by_member ON project_members (member, project);

CREATE TABLE task_statuses (
  id INTEGER PRIMARY KEY,
  value TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  color TEXT NOT NULL,
  position INTEGER NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1
);
INSERT INTO task_statuses (id, value, label, color, position) VALUES (1, 'todo', 'To do', '#64748b', 1), (2, 'in_progress', 'In progress', '#2563eb', 2), (3, 'internal_review', 'Internal review', '#9333ea', 3), (4, 'client_review', 'Client review', '#d97706', 4), (5, 'completed', 'Completed', '#16a34a', 5);

CREATE TABLE project_statuses (
  id INTEGER PRIMARY KEY,
  value TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  color TEXT NOT NULL,
  position INTEGER NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1
);
INSERT INTO project_statuses (id, value, label, color, position) VALUES (1, 'planned', 'Planned', '#64748b', 1), (2, 'active', 'Active', '#16a34a', 2), (3, 'in-progress', 'In progress', '#2563eb', 3), (4, 'on-hold', 'On hold', '#d97706', 4), (5, 'completed', 'Completed', '#0f766e', 5), (6, 'cancelled', 'Cancelled', '#b91c1c', 6);

CREATE TABLE task_categories (
  id INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  default_estimated_hours REAL,
  UNIQUE (ws, key)
);

CREATE TABLE task_types (
  id INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  category INTEGER NOT NULL REFERENCES task_categories (id),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  default_estimated_hours REAL,
  UNIQUE (ws, category, key)
);

CREATE TABLE teams (
  id INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  name TEXT NOT NULL,
  parent INTEGER REFERENCES teams (id)
);
CREATE INDEX teams_by_workspace ON teams (ws);

CREATE TABLE team_members (
  team INTEGER NOT NULL REFERENCES teams (id),
  member INTEGER NOT NULL REFERENCES members (no),
  role TEXT NOT NULL DEFAULT 'member' CHECK (role IN ('lead', 'member')),
  PRIMARY KEY (team, member)
) WITHOUT ROWID;
CREATE INDEX team_members_by_member ON team_members (member, team);
