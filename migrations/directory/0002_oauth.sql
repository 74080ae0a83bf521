-- People who are signed in to the web pages, and the apps that they let in. Secrets are kept as SHA-256 alone.

CREATE TABLE browser_sessions (
  id_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
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
