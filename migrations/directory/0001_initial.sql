-- Who a person is and where their workspaces live. Nothing of a content of a workspace is kept here.
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  image TEXT,
  password_hash TEXT,
  verified_at INTEGER,
  created_at INTEGER NOT NULL,
  -- An account that was deleted keeps its id and nothing else.
  deleted_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  -- 0 from the moment that name, email or image change until the cells have the copies.
  is_settled INTEGER NOT NULL DEFAULT 1
) WITHOUT ROWID;
CREATE INDEX users_unsettled ON users (id) WHERE is_settled = 0;
CREATE TRIGGER users_unsettle AFTER UPDATE OF name, email, image, deleted_at ON users WHEN NEW.version = OLD.version BEGIN UPDATE users SET version = OLD.version + 1, is_settled = 0 WHERE id = NEW.id; END;

CREATE TABLE workspaces (
  id TEXT PRIMARY KEY,
  cell INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX workspaces_by_cell ON workspaces (cell);

-- ended_at follows that of the cell, which decides.
CREATE TABLE memberships (
  user_id TEXT NOT NULL,
  workspace_id TEXT NOT NULL,
  joined_at INTEGER NOT NULL,
  ended_at INTEGER,
  PRIMARY KEY (user_id, workspace_id)
) WITHOUT ROWID;

-- A cell that is closed takes no new workspaces; one without a row is open.
CREATE TABLE closed_cells (
  cell INTEGER PRIMARY KEY
);

CREATE TABLE email_verifications (
  token_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX email_verifications_by_expiry ON email_verifications (expires_at);

-- Links for a new password, and for another address (email), which they prove.
CREATE TABLE account_links (
  token_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('password', 'email')),
  email TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX account_links_by_user ON account_links (user_id);
CREATE INDEX account_links_by_expiry ON account_links (expires_at);

-- Forms about an account that were sent, so that each counts once; made names what is made in a cell.
CREATE TABLE sent_forms (
  id TEXT PRIMARY KEY,
  made TEXT,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX sent_forms_by_age ON sent_forms (created_at);

-- Pictures of people in R2. One that no account shows is deleted after an hour.
CREATE TABLE pictures (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  file_type TEXT NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX pictures_by_age ON pictures (created_at);

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  html TEXT NOT NULL,
  -- Whom the mail names besides its recipient: it goes with their account.
  about TEXT,
  -- What its header List-Unsubscribe names.
  unsubscribe TEXT,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  sent_at INTEGER,
  last_error TEXT
);
CREATE INDEX outbox_due ON outbox (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX outbox_by_age ON outbox (created_at);

-- Which notifications a person wants by mail, a JSON object, and when the next daily mail is due. Without a row: the usual.
CREATE TABLE mail_preferences (
  user_id TEXT PRIMARY KEY,
  modes TEXT NOT NULL,
  daily_at INTEGER,
  daily_since INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX mail_preferences_daily ON mail_preferences (daily_at) WHERE daily_at IS NOT NULL;

-- Up to which notification of a cell a person has been told by mail, and up to which one it is decided whom to tell.
CREATE TABLE mail_cursors (
  user_id TEXT NOT NULL,
  cell INTEGER NOT NULL,
  upto INTEGER NOT NULL,
  PRIMARY KEY (user_id, cell)
) WITHOUT ROWID;
CREATE TABLE mailed_cells (
  cell INTEGER PRIMARY KEY,
  upto INTEGER NOT NULL
);

-- People who are signed in to the web pages, and the apps that they let in. Secrets are kept as SHA-256 alone.

CREATE TABLE browser_sessions (
  id_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  -- What the browser called itself, for the list of browsers.
  user_agent TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX browser_sessions_by_user ON browser_sessions (user_id);
CREATE INDEX browser_sessions_by_expiry ON browser_sessions (expires_at);

-- Registered by themselves (RFC 7591). expires_at is cleared when somebody first lets the client in.
CREATE TABLE oauth_clients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  redirect_uris TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) WITHOUT ROWID;
CREATE INDEX oauth_clients_unused ON oauth_clients (expires_at) WHERE expires_at IS NOT NULL;

-- What a consent page asks about, bound to the browser session that it was shown in.
CREATE TABLE oauth_requests (
  id_hash TEXT PRIMARY KEY,
  session_hash TEXT NOT NULL,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  challenge TEXT NOT NULL,
  scopes TEXT NOT NULL,
  state TEXT,
  resource TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX oauth_requests_by_session ON oauth_requests (session_hash, created_at);
CREATE INDEX oauth_requests_by_expiry ON oauth_requests (expires_at);

-- A used code is kept as long as the token that it issued, so that a replay can revoke it.
CREATE TABLE oauth_codes (
  code_hash TEXT PRIMARY KEY,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  challenge TEXT NOT NULL,
  scopes TEXT NOT NULL,
  resource TEXT,
  user_id TEXT NOT NULL,
  workspace_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  token_hash TEXT,
  kept_until INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX oauth_codes_by_age ON oauth_codes (kept_until);

-- How many workspaces each cell holds, so that whoever places a new one need not count them all. Kept by a trigger: what
-- runs during a rollout, scripts and restores place workspaces too.
CREATE TABLE cell_sizes (
  cell INTEGER PRIMARY KEY,
  workspaces INTEGER NOT NULL
);
CREATE TRIGGER workspaces_placed AFTER INSERT ON workspaces BEGIN INSERT INTO cell_sizes (cell, workspaces) VALUES (new.cell, 1) ON CONFLICT (cell) DO UPDATE SET workspaces = workspaces + 1; END;
CREATE TRIGGER workspaces_removed AFTER DELETE ON workspaces BEGIN UPDATE cell_sizes SET workspaces = workspaces - 1 WHERE cell = old.cell; END;
