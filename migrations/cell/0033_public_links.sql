-- Public links to a project or a saved filter. The secret of a link is derived from its nonce and a key that is not in the
-- database.
CREATE TABLE public_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  project INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  filter INTEGER REFERENCES saved_filters (id) ON DELETE CASCADE,
  hash TEXT NOT NULL UNIQUE,
  nonce TEXT NOT NULL,
  shows_names INTEGER NOT NULL DEFAULT 0,
  -- The last day on which the link works, in the time zone of the workspace.
  expires_on TEXT,
  creator INTEGER NOT NULL REFERENCES members (no),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  CHECK ((project IS NULL) <> (filter IS NULL))
);
CREATE INDEX public_links_by_project ON public_links (project) WHERE project IS NOT NULL;
CREATE INDEX public_links_by_filter ON public_links (filter) WHERE filter IS NOT NULL;

-- Intake forms, which create a task for each submission.
CREATE TABLE intake_forms (
  project INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  hash TEXT NOT NULL UNIQUE,
  nonce TEXT NOT NULL,
  greeting TEXT,
  tag TEXT,
  assignee INTEGER REFERENCES members (no),
  creator INTEGER NOT NULL REFERENCES members (no),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  -- The number of tasks that the form created on this day, in the time zone of the workspace.
  sent_on TEXT,
  sent INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1
);
