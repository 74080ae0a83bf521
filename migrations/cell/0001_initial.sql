-- Everything that belongs to a workspace. Members, workspaces and projects carry short integers within the cell, so
-- that indexes stay small; the ids that users see for people and workspaces are text.
--
-- No number and no id is given twice: AUTOINCREMENT remembers what was deleted. It writes a row more, so where a write of
-- a task inserts (tasks, events, notifications) a trigger keeps the row with the highest id instead.
CREATE TABLE workspaces (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  plan TEXT NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'medium', 'pro')),
  timezone TEXT NOT NULL DEFAULT 'UTC',
  daily_capacity_hours REAL NOT NULL DEFAULT 8,
  -- Deadlines before these days are summed in task_counts (past0 to past4, week0 to week4): today, and the end of the
  -- week. A cron moves both; a late cron costs rows, never exactness.
  past_cutoff TEXT NOT NULL DEFAULT '2026-01-01',
  week_cutoff TEXT NOT NULL DEFAULT '2026-01-01',
  -- The oldest event that the feed still tells. A cron moves it.
  events_from INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX workspaces_by_cutoff ON workspaces (past_cutoff);

-- name, email and image are copies of those in the directory, so that no join leaves the cell. A membership ends
-- (ended_at) and is never deleted: what the person wrote keeps its author, and nobody else gets their number.
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
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  -- 0 from the moment that a membership ends or begins again until the directory says so as well.
  is_settled INTEGER NOT NULL DEFAULT 1,
  -- Session tokens of whoever signed in before, and what they let in, count no more.
  sessions_from INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX members_by_workspace ON members (ws, user_id);
CREATE INDEX members_by_user ON members (user_id);
CREATE INDEX members_by_email ON members (ws, email_key);
CREATE INDEX members_unsettled ON members (no) WHERE is_settled = 0;
CREATE TRIGGER members_stay BEFORE DELETE ON members BEGIN SELECT RAISE(ABORT, 'a membership is never deleted: set ended_at instead'); END;

-- Whoever asks for people that are there asks this one; members is for what anybody ever did.
CREATE VIEW active_members AS SELECT no, ws, user_id, role, name, email, email_key, image, cells, version, created_at, sessions_from FROM members WHERE ended_at IS NULL;

-- Whatever is cached of a caller carries the version of the member. Triggers raise it, so that a change made by hand
-- (an UPDATE by an operator) takes effect at once as well.
CREATE TRIGGER members_version AFTER UPDATE OF role, name, email, image, cells, ended_at, sessions_from ON members WHEN NEW.version = OLD.version BEGIN UPDATE members SET version = OLD.version + 1 WHERE no = NEW.no; END;
CREATE TRIGGER members_unsettle AFTER UPDATE OF ended_at ON members WHEN NEW.ended_at IS NOT OLD.ended_at BEGIN UPDATE members SET is_settled = 0 WHERE no = NEW.no; END;
-- Whoever comes back signs in again.
CREATE TRIGGER members_leave AFTER UPDATE OF ended_at ON members WHEN NEW.ended_at > NEW.sessions_from BEGIN UPDATE members SET sessions_from = NEW.ended_at WHERE no = NEW.no; END;
-- Whoever comes back keeps what they are assigned.
CREATE TRIGGER members_return AFTER UPDATE OF ended_at ON members WHEN NEW.ended_at IS NULL BEGIN DELETE FROM departures WHERE member = NEW.no; END;
CREATE TRIGGER workspaces_version AFTER UPDATE OF name, plan, timezone, daily_capacity_hours ON workspaces BEGIN UPDATE members SET version = version + 1 WHERE ws = NEW.no; END;

-- Workspaces that were deleted: nobody is in them, and a cron deletes what they held.
CREATE TABLE workspace_deletions (
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (ws)
) WITHOUT ROWID;

-- People who left and are still assigned open tasks, which go to heir (0: to nobody) on behalf of actor.
CREATE TABLE departures (
  member INTEGER NOT NULL REFERENCES members (no),
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  heir INTEGER NOT NULL,
  actor INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (member)
) WITHOUT ROWID;

-- Members whose account was deleted: the events up to position do not tell their name any more.
CREATE TABLE forgotten_members (
  member INTEGER NOT NULL REFERENCES members (no),
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  position INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (member)
) WITHOUT ROWID;

-- email is emptied once the invitation was accepted. sent_at is null until its mail is queued in the directory: a cron
-- makes a new link for one that a crash kept from it, because only the hash of a link is kept.
CREATE TABLE invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  token_hash TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('admin', 'lead', 'member', 'client')),
  projects TEXT NOT NULL DEFAULT '[]',
  invited_by INTEGER NOT NULL REFERENCES members (no),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  sent_at INTEGER,
  accepted_by INTEGER REFERENCES members (no),
  ended_at INTEGER
);
CREATE UNIQUE INDEX invitations_open ON invitations (ws, email_key) WHERE ended_at IS NULL;
CREATE INDEX invitations_unsent ON invitations (created_at) WHERE sent_at IS NULL AND ended_at IS NULL;
CREATE INDEX invitations_by_age ON invitations (created_at);

CREATE TABLE credentials (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
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
-- When each ended, for whoever forgets them later.
CREATE INDEX credentials_ended ON credentials (min(coalesce(revoked_at, expires_at), coalesce(expires_at, revoked_at))) WHERE coalesce(revoked_at, expires_at) IS NOT NULL;

-- The secret address under which the calendar of a member can be subscribed to. Only its hash is kept; nonce is what it is
-- derived from, together with a key that is not in the database.
CREATE TABLE calendar_feeds (
  member INTEGER PRIMARY KEY REFERENCES members (no),
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  hash TEXT NOT NULL UNIQUE,
  nonce TEXT NOT NULL,
  created_at INTEGER NOT NULL
);

CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  name TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL DEFAULT 'active',
  owner INTEGER NOT NULL REFERENCES members (no),
  created_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX projects_by_workspace ON projects (ws);

-- The owner of a project has a row here too: "member of a project" always includes them.
CREATE TABLE project_members (
  project INTEGER NOT NULL REFERENCES projects (id),
  member INTEGER NOT NULL REFERENCES members (no),
  PRIMARY KEY (project, member)
) WITHOUT ROWID;
CREATE INDEX project_members_by_member ON project_members (member, project);

-- Projects that are being deleted. Tasks that are hidden already carry the negative numbers of their workspace and project,
-- so that nobody finds them, until a cron has deleted them in slices.
CREATE TABLE project_deletions (
  project INTEGER NOT NULL,
  ws INTEGER NOT NULL,
  name TEXT NOT NULL,
  tasks INTEGER NOT NULL,
  tasks_left INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (project)
) WITHOUT ROWID;
CREATE INDEX project_deletions_by_workspace ON project_deletions (ws);

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
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  default_estimated_hours REAL,
  -- Whether forms offer it; tasks keep it all the same.
  is_active INTEGER NOT NULL DEFAULT 1,
  UNIQUE (ws, key)
);

CREATE TABLE task_types (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  category INTEGER NOT NULL REFERENCES task_categories (id),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  default_estimated_hours REAL,
  is_active INTEGER NOT NULL DEFAULT 1,
  UNIQUE (ws, category, key)
);

-- Categories whose default hours, or those of a type, have changed: the tasks up to position have followed.
CREATE TABLE hour_changes (
  category INTEGER NOT NULL REFERENCES task_categories (id),
  ws INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (category)
) WITHOUT ROWID;

-- filter is JSON, as src/saved-filters/task-filter.ts has it.
CREATE TABLE saved_filters (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  member INTEGER NOT NULL REFERENCES members (no),
  name TEXT NOT NULL,
  is_shared INTEGER NOT NULL CHECK (is_shared IN (0, 1)),
  filter TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX saved_filters_by_member ON saved_filters (member);
CREATE INDEX saved_filters_shared ON saved_filters (ws) WHERE is_shared = 1;

CREATE TABLE teams (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  name TEXT NOT NULL,
  parent INTEGER REFERENCES teams (id)
);
CREATE INDEX teams_by_workspace ON teams (ws);
-- Deleting a team asks whether it is the parent of another.
CREATE INDEX teams_by_parent ON teams (parent);

CREATE TABLE team_members (
  team INTEGER NOT NULL REFERENCES teams (id),
  member INTEGER NOT NULL REFERENCES members (no),
  role TEXT NOT NULL DEFAULT 'member' CHECK (role IN ('lead', 'member')),
  PRIMARY KEY (team, member)
) WITHOUT ROWID;
CREATE INDEX team_members_by_member ON team_members (member, team);

-- Tasks and what hangs on them. assignee 0 means unassigned; due 9999-99-99 means no deadline, so that it sorts last.
-- status: 0 todo, 1 in_progress, 2 internal_review, 3 client_review, 4 completed. priority: 0 low, 1 medium, 2 high.
-- bucket (0 to 29) is what counters and pages divide tasks by; archived_status (0 to 9) is the same for deadlines.
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY,
  ws INTEGER NOT NULL,
  project INTEGER NOT NULL,
  assignee INTEGER NOT NULL DEFAULT 0,
  status INTEGER NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 4),
  priority INTEGER NOT NULL DEFAULT 1 CHECK (priority BETWEEN 0 AND 2),
  archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
  bucket INTEGER GENERATED ALWAYS AS (archived * 15 + status * 3 + priority) VIRTUAL,
  name TEXT NOT NULL,
  description TEXT,
  tags TEXT NOT NULL DEFAULT '[]',
  start_date TEXT,
  due TEXT NOT NULL DEFAULT '9999-99-99',
  scheduled_time TEXT,
  duration_minutes INTEGER,
  category INTEGER,
  type INTEGER,
  estimated_hours TEXT,
  -- Hundredths of an hour: the estimate, else the default of the type, else of the category, else one hour.
  hours INTEGER NOT NULL DEFAULT 100,
  comment_count INTEGER NOT NULL DEFAULT 0,
  activity_count INTEGER NOT NULL DEFAULT 0,
  created_by INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- The seq of the event that tells how the task began, by which its history finds it: no index needs to.
  first_event INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  -- The numbers of the members that follow it, in ascending order: the same that followers tells by person.
  followers TEXT NOT NULL DEFAULT '[]',
  -- The folded name (src/search/search-key.ts), and the day of completion in the time zone of the workspace.
  name_key TEXT NOT NULL DEFAULT '',
  completed_on TEXT,
  archived_status INTEGER GENERATED ALWAYS AS (archived * 5 + status) VIRTUAL,
  -- The folded text of the description. Last, because it may be long: a row is read up to the columns that are needed.
  description_key TEXT NOT NULL DEFAULT ''
);
CREATE INDEX tasks_by_workspace ON tasks (ws, bucket);
CREATE INDEX tasks_by_project ON tasks (project, bucket);
CREATE INDEX tasks_by_assignee ON tasks (assignee, bucket);
CREATE INDEX tasks_by_project_assignee ON tasks (project, assignee, bucket);
CREATE INDEX tasks_by_due ON tasks (ws, archived_status, due);
CREATE INDEX tasks_by_project_due ON tasks (project, archived_status, due);
-- The id stands before the project: tasks of one day come in the order of the list, and the first of them is the first
-- one read. The project stays, so that whoever walks the days of a person never opens the tasks.
CREATE INDEX tasks_by_assignee_due ON tasks (assignee, archived_status, due, id, project);
-- Unassigned tasks: by their assignee they would stand beside those of other workspaces.
CREATE INDEX tasks_unassigned ON tasks (ws, bucket) WHERE assignee = 0;
CREATE INDEX tasks_unassigned_due ON tasks (ws, archived_status, due) WHERE assignee = 0;
-- Tasks by their last change; their creation is the first. The columns behind the id are what lists filter by.
CREATE INDEX tasks_by_change ON tasks (project, updated_at, id, bucket, assignee, due);
CREATE INDEX tasks_by_name ON tasks (ws, archived, name_key, project, assignee);
CREATE INDEX tasks_scheduled ON tasks (assignee, due) WHERE scheduled_time IS NOT NULL;
CREATE INDEX tasks_by_category ON tasks (category) WHERE category IS NOT NULL;
CREATE TRIGGER tasks_keep_newest BEFORE DELETE ON tasks WHEN OLD.id = (SELECT max(id) FROM tasks) BEGIN SELECT RAISE(ABORT, 'the newest of tasks stays, so that its id is never given again'); END;

-- Exact totals, in three kinds of rows: of a project (member 0), of a person in a project, and of a person in the whole
-- workspace (project 0). A row of a person in a project also counts the tasks there that they follow.
CREATE TABLE task_counts (
  ws INTEGER NOT NULL, member INTEGER NOT NULL, project INTEGER NOT NULL,
  -- Tasks of each bucket; for a person, those assigned to them.
  bucket0 INTEGER NOT NULL DEFAULT 0, bucket1 INTEGER NOT NULL DEFAULT 0, bucket2 INTEGER NOT NULL DEFAULT 0, bucket3 INTEGER NOT NULL DEFAULT 0, bucket4 INTEGER NOT NULL DEFAULT 0, bucket5 INTEGER NOT NULL DEFAULT 0, bucket6 INTEGER NOT NULL DEFAULT 0, bucket7 INTEGER NOT NULL DEFAULT 0, bucket8 INTEGER NOT NULL DEFAULT 0, bucket9 INTEGER NOT NULL DEFAULT 0, bucket10 INTEGER NOT NULL DEFAULT 0, bucket11 INTEGER NOT NULL DEFAULT 0, bucket12 INTEGER NOT NULL DEFAULT 0, bucket13 INTEGER NOT NULL DEFAULT 0, bucket14 INTEGER NOT NULL DEFAULT 0, bucket15 INTEGER NOT NULL DEFAULT 0, bucket16 INTEGER NOT NULL DEFAULT 0, bucket17 INTEGER NOT NULL DEFAULT 0, bucket18 INTEGER NOT NULL DEFAULT 0, bucket19 INTEGER NOT NULL DEFAULT 0, bucket20 INTEGER NOT NULL DEFAULT 0, bucket21 INTEGER NOT NULL DEFAULT 0, bucket22 INTEGER NOT NULL DEFAULT 0, bucket23 INTEGER NOT NULL DEFAULT 0, bucket24 INTEGER NOT NULL DEFAULT 0, bucket25 INTEGER NOT NULL DEFAULT 0, bucket26 INTEGER NOT NULL DEFAULT 0, bucket27 INTEGER NOT NULL DEFAULT 0, bucket28 INTEGER NOT NULL DEFAULT 0, bucket29 INTEGER NOT NULL DEFAULT 0,
  -- Unarchived tasks of each status (0 to 4) that are due before the two cutoffs of the workspace.
  past0 INTEGER NOT NULL DEFAULT 0, past1 INTEGER NOT NULL DEFAULT 0, past2 INTEGER NOT NULL DEFAULT 0, past3 INTEGER NOT NULL DEFAULT 0, past4 INTEGER NOT NULL DEFAULT 0,
  week0 INTEGER NOT NULL DEFAULT 0, week1 INTEGER NOT NULL DEFAULT 0, week2 INTEGER NOT NULL DEFAULT 0, week3 INTEGER NOT NULL DEFAULT 0, week4 INTEGER NOT NULL DEFAULT 0,
  -- Hundredths of an hour that unarchived tasks of each status take, and open ones due before past_cutoff.
  hours0 INTEGER NOT NULL DEFAULT 0, hours1 INTEGER NOT NULL DEFAULT 0, hours2 INTEGER NOT NULL DEFAULT 0, hours3 INTEGER NOT NULL DEFAULT 0, hours4 INTEGER NOT NULL DEFAULT 0,
  past_hours INTEGER NOT NULL DEFAULT 0,
  -- Tasks of each bucket that the person follows.
  followed0 INTEGER NOT NULL DEFAULT 0, followed1 INTEGER NOT NULL DEFAULT 0, followed2 INTEGER NOT NULL DEFAULT 0, followed3 INTEGER NOT NULL DEFAULT 0, followed4 INTEGER NOT NULL DEFAULT 0, followed5 INTEGER NOT NULL DEFAULT 0, followed6 INTEGER NOT NULL DEFAULT 0, followed7 INTEGER NOT NULL DEFAULT 0, followed8 INTEGER NOT NULL DEFAULT 0, followed9 INTEGER NOT NULL DEFAULT 0, followed10 INTEGER NOT NULL DEFAULT 0, followed11 INTEGER NOT NULL DEFAULT 0, followed12 INTEGER NOT NULL DEFAULT 0, followed13 INTEGER NOT NULL DEFAULT 0, followed14 INTEGER NOT NULL DEFAULT 0, followed15 INTEGER NOT NULL DEFAULT 0, followed16 INTEGER NOT NULL DEFAULT 0, followed17 INTEGER NOT NULL DEFAULT 0, followed18 INTEGER NOT NULL DEFAULT 0, followed19 INTEGER NOT NULL DEFAULT 0, followed20 INTEGER NOT NULL DEFAULT 0, followed21 INTEGER NOT NULL DEFAULT 0, followed22 INTEGER NOT NULL DEFAULT 0, followed23 INTEGER NOT NULL DEFAULT 0, followed24 INTEGER NOT NULL DEFAULT 0, followed25 INTEGER NOT NULL DEFAULT 0, followed26 INTEGER NOT NULL DEFAULT 0, followed27 INTEGER NOT NULL DEFAULT 0, followed28 INTEGER NOT NULL DEFAULT 0, followed29 INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (ws, member, project)
) WITHOUT ROWID;

-- Unarchived tasks that are due on a day, by status.
CREATE TABLE due_days (
  project INTEGER NOT NULL,
  day TEXT NOT NULL,
  status0 INTEGER NOT NULL DEFAULT 0,
  status1 INTEGER NOT NULL DEFAULT 0,
  status2 INTEGER NOT NULL DEFAULT 0,
  status3 INTEGER NOT NULL DEFAULT 0,
  status4 INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project, day)
) WITHOUT ROWID;

-- How many unarchived tasks of each status a project had as a day began, and (project 0) all of them together. The past
-- cannot be counted later, so these rows stay.
CREATE TABLE flow_days (
  ws INTEGER NOT NULL,
  project INTEGER NOT NULL,
  day TEXT NOT NULL,
  status0 INTEGER NOT NULL DEFAULT 0,
  status1 INTEGER NOT NULL DEFAULT 0,
  status2 INTEGER NOT NULL DEFAULT 0,
  status3 INTEGER NOT NULL DEFAULT 0,
  status4 INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (ws, project, day)
) WITHOUT ROWID;

-- What a person has to do by a day, and completed on it: unarchived tasks and hundredths of an hour, in a project and
-- (project 0) in all. A completed task is not due any more. A row a half of a month (half is its first day, the 1st or the
-- 16th) with a column a day (docs/adr/0068).
CREATE TABLE member_halves (
  ws INTEGER NOT NULL, member INTEGER NOT NULL, project INTEGER NOT NULL, half TEXT NOT NULL,
  due1 INTEGER NOT NULL DEFAULT 0, due2 INTEGER NOT NULL DEFAULT 0, due3 INTEGER NOT NULL DEFAULT 0, due4 INTEGER NOT NULL DEFAULT 0, due5 INTEGER NOT NULL DEFAULT 0, due6 INTEGER NOT NULL DEFAULT 0, due7 INTEGER NOT NULL DEFAULT 0, due8 INTEGER NOT NULL DEFAULT 0, due9 INTEGER NOT NULL DEFAULT 0, due10 INTEGER NOT NULL DEFAULT 0, due11 INTEGER NOT NULL DEFAULT 0, due12 INTEGER NOT NULL DEFAULT 0, due13 INTEGER NOT NULL DEFAULT 0, due14 INTEGER NOT NULL DEFAULT 0, due15 INTEGER NOT NULL DEFAULT 0, due16 INTEGER NOT NULL DEFAULT 0,
  due_hours1 INTEGER NOT NULL DEFAULT 0, due_hours2 INTEGER NOT NULL DEFAULT 0, due_hours3 INTEGER NOT NULL DEFAULT 0, due_hours4 INTEGER NOT NULL DEFAULT 0, due_hours5 INTEGER NOT NULL DEFAULT 0, due_hours6 INTEGER NOT NULL DEFAULT 0, due_hours7 INTEGER NOT NULL DEFAULT 0, due_hours8 INTEGER NOT NULL DEFAULT 0, due_hours9 INTEGER NOT NULL DEFAULT 0, due_hours10 INTEGER NOT NULL DEFAULT 0, due_hours11 INTEGER NOT NULL DEFAULT 0, due_hours12 INTEGER NOT NULL DEFAULT 0, due_hours13 INTEGER NOT NULL DEFAULT 0, due_hours14 INTEGER NOT NULL DEFAULT 0, due_hours15 INTEGER NOT NULL DEFAULT 0, due_hours16 INTEGER NOT NULL DEFAULT 0,
  done1 INTEGER NOT NULL DEFAULT 0, done2 INTEGER NOT NULL DEFAULT 0, done3 INTEGER NOT NULL DEFAULT 0, done4 INTEGER NOT NULL DEFAULT 0, done5 INTEGER NOT NULL DEFAULT 0, done6 INTEGER NOT NULL DEFAULT 0, done7 INTEGER NOT NULL DEFAULT 0, done8 INTEGER NOT NULL DEFAULT 0, done9 INTEGER NOT NULL DEFAULT 0, done10 INTEGER NOT NULL DEFAULT 0, done11 INTEGER NOT NULL DEFAULT 0, done12 INTEGER NOT NULL DEFAULT 0, done13 INTEGER NOT NULL DEFAULT 0, done14 INTEGER NOT NULL DEFAULT 0, done15 INTEGER NOT NULL DEFAULT 0, done16 INTEGER NOT NULL DEFAULT 0,
  done_hours1 INTEGER NOT NULL DEFAULT 0, done_hours2 INTEGER NOT NULL DEFAULT 0, done_hours3 INTEGER NOT NULL DEFAULT 0, done_hours4 INTEGER NOT NULL DEFAULT 0, done_hours5 INTEGER NOT NULL DEFAULT 0, done_hours6 INTEGER NOT NULL DEFAULT 0, done_hours7 INTEGER NOT NULL DEFAULT 0, done_hours8 INTEGER NOT NULL DEFAULT 0, done_hours9 INTEGER NOT NULL DEFAULT 0, done_hours10 INTEGER NOT NULL DEFAULT 0, done_hours11 INTEGER NOT NULL DEFAULT 0, done_hours12 INTEGER NOT NULL DEFAULT 0, done_hours13 INTEGER NOT NULL DEFAULT 0, done_hours14 INTEGER NOT NULL DEFAULT 0, done_hours15 INTEGER NOT NULL DEFAULT 0, done_hours16 INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (ws, member, project, half)
) WITHOUT ROWID;

-- What a person follows. Who follows a task stands in its own row: an index by task would cost a create two rows more.
CREATE TABLE followers (
  member INTEGER NOT NULL,
  project INTEGER NOT NULL,
  task INTEGER NOT NULL,
  PRIMARY KEY (member, project, task)
) WITHOUT ROWID;

-- Where somebody put a card in its column by hand. A column is sorted by anchor and place, both descending; a task without
-- a row lies at its id and 0. A row counts while the task has this status (docs/adr/0059).
CREATE TABLE card_places (
  task INTEGER NOT NULL,
  ws INTEGER NOT NULL,
  project INTEGER NOT NULL,
  status INTEGER NOT NULL,
  anchor INTEGER NOT NULL,
  place INTEGER NOT NULL,
  moved_at INTEGER NOT NULL,
  PRIMARY KEY (task, status)
) WITHOUT ROWID;
CREATE INDEX card_places_by_column ON card_places (ws, project, status, anchor, place, moved_at);

-- The grams of folded names and descriptions (src/search/grams.ts). A token carries the workspace and the archived flag,
-- and so does the rowid: ((ws * 2 + archived) << 32) | task id.
CREATE VIRTUAL TABLE task_search USING fts5(grams, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '_'");

-- day is that of created_at on the clock of the workspace; in a workspace both never fall as ids rise. project, assignee and
-- archived are those of the task, so that indexes can select by them. Events and notifications remember ids of
-- comments that are gone, so an id is never given twice.
CREATE TABLE comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL,
  task INTEGER NOT NULL,
  author INTEGER NOT NULL,
  project INTEGER NOT NULL,
  assignee INTEGER NOT NULL,
  archived INTEGER NOT NULL,
  day TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Of the content as JSON. It stands before the content, so that who sums it reads no text.
  bytes INTEGER GENERATED ALWAYS AS (octet_length(json_quote(content)) - 2) STORED,
  content TEXT NOT NULL,
  -- The folded content, which searches read.
  content_key TEXT NOT NULL DEFAULT ''
);
CREATE INDEX comments_by_task ON comments (task);
CREATE INDEX comments_by_day ON comments (ws, day);
CREATE INDEX comments_by_project ON comments (project) WHERE archived = 0;
CREATE INDEX comments_by_assignee ON comments (assignee) WHERE archived = 0 AND assignee > 0;
-- Tells whether a workspace has many long ones: a search then measures them before it reads.
CREATE INDEX comments_long ON comments (ws) WHERE bytes > 600;
CREATE INDEX comments_by_assignee_project ON comments (assignee, project) WHERE archived = 0 AND assignee > 0;

-- How many comments of unarchived tasks were written in a month (in the row without a month: ever), and on each day of it. A row a
-- project (member 0), a row an assignee (project 0), and a row an assignee and project.
CREATE TABLE comment_counts (
  ws INTEGER NOT NULL, member INTEGER NOT NULL, project INTEGER NOT NULL, month TEXT NOT NULL,
  total INTEGER NOT NULL DEFAULT 0,
  day1 INTEGER NOT NULL DEFAULT 0, day2 INTEGER NOT NULL DEFAULT 0, day3 INTEGER NOT NULL DEFAULT 0, day4 INTEGER NOT NULL DEFAULT 0, day5 INTEGER NOT NULL DEFAULT 0, day6 INTEGER NOT NULL DEFAULT 0, day7 INTEGER NOT NULL DEFAULT 0, day8 INTEGER NOT NULL DEFAULT 0, day9 INTEGER NOT NULL DEFAULT 0, day10 INTEGER NOT NULL DEFAULT 0, day11 INTEGER NOT NULL DEFAULT 0, day12 INTEGER NOT NULL DEFAULT 0, day13 INTEGER NOT NULL DEFAULT 0, day14 INTEGER NOT NULL DEFAULT 0, day15 INTEGER NOT NULL DEFAULT 0, day16 INTEGER NOT NULL DEFAULT 0, day17 INTEGER NOT NULL DEFAULT 0, day18 INTEGER NOT NULL DEFAULT 0, day19 INTEGER NOT NULL DEFAULT 0, day20 INTEGER NOT NULL DEFAULT 0, day21 INTEGER NOT NULL DEFAULT 0, day22 INTEGER NOT NULL DEFAULT 0, day23 INTEGER NOT NULL DEFAULT 0, day24 INTEGER NOT NULL DEFAULT 0, day25 INTEGER NOT NULL DEFAULT 0, day26 INTEGER NOT NULL DEFAULT 0, day27 INTEGER NOT NULL DEFAULT 0, day28 INTEGER NOT NULL DEFAULT 0, day29 INTEGER NOT NULL DEFAULT 0, day30 INTEGER NOT NULL DEFAULT 0, day31 INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (ws, member, project, month)
) WITHOUT ROWID;

-- The same of folded comments: a token carries the workspace, and rowid = (ws << 32) | comment id.
CREATE VIRTUAL TABLE comment_search USING fts5(grams, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '_'");

-- What happened, in the order of the commits: seq counts the events of a workspace without a gap. project decides who
-- sees an event (null: everyone in the workspace), reader is the one member who does (null: no such limit). entity is what
-- it is about besides project and task, by the id that clients know. entries is how many lines it makes in the history of
-- its task; such events stay as long as the task, all others 30 days.
CREATE TABLE events (
  ws INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  project INTEGER,
  task INTEGER,
  entity NUMERIC,
  reader INTEGER,
  actor INTEGER NOT NULL,
  via TEXT NOT NULL,
  changes TEXT NOT NULL DEFAULT '{}',
  entries INTEGER NOT NULL DEFAULT 0,
  occurred_at INTEGER NOT NULL,
  PRIMARY KEY (ws, seq)
) WITHOUT ROWID;
-- Without the first event of each task, which its row names: so a create writes a row less.
CREATE INDEX events_by_task ON events (task) WHERE entries > 0 AND type NOT IN ('task.created', 'task.duplicated');
-- The next number follows the newest, so that one stays as long as its workspace.
CREATE TRIGGER events_keep_newest BEFORE DELETE ON events WHEN OLD.seq = (SELECT max(seq) FROM events WHERE ws = OLD.ws) AND EXISTS (SELECT 1 FROM workspaces WHERE no = OLD.ws) BEGIN SELECT RAISE(ABORT, 'the newest of events stays, so that its number is never given again'); END;

-- Addresses that are told of events. cursor is the last seq that one got, or that it does not get; delivered the last that
-- it got since it was made or sent back. credential is what it was made with (null: a session): it sees what that sees, and
-- ends with it. The secrets are encrypted (docs/storage.md), because they have to sign.
CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  member INTEGER NOT NULL REFERENCES members (no),
  credential INTEGER,
  url TEXT NOT NULL,
  description TEXT,
  types TEXT,
  project INTEGER,
  batch INTEGER NOT NULL DEFAULT 0,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_until INTEGER,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'stopped')),
  stop_reason TEXT,
  cursor INTEGER NOT NULL,
  delivered INTEGER,
  delivered_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  failing_since INTEGER,
  warned INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  created_at INTEGER NOT NULL
);
CREATE INDEX webhooks_by_workspace ON webhooks (ws);
CREATE INDEX webhooks_active ON webhooks (id) WHERE status = 'active';

-- The last 100 attempts of each webhook: attempt no takes the place of attempt no - 100, which has the same slot.
CREATE TABLE webhook_deliveries (
  ws INTEGER NOT NULL,
  webhook INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  no INTEGER NOT NULL,
  message TEXT NOT NULL,
  first_seq INTEGER,
  last_seq INTEGER,
  status INTEGER,
  error TEXT,
  answer TEXT,
  ms INTEGER NOT NULL,
  attempted_at INTEGER NOT NULL,
  PRIMARY KEY (webhook, slot)
) WITHOUT ROWID;

-- Keyed by person, not by member: they have no workspace boundary. One that is deleted belongs to nobody (user_id is
-- empty) until it is no longer the newest.
CREATE TABLE notifications (
  id INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL,
  ws INTEGER NOT NULL,
  type TEXT NOT NULL,
  task INTEGER,
  comment INTEGER,
  project INTEGER,
  actor INTEGER,
  read_at INTEGER,
  created_at INTEGER NOT NULL,
  is_read INTEGER GENERATED ALWAYS AS (read_at IS NOT NULL) VIRTUAL
);
-- One index for both lists: all of a person are the unread merged with the read.
CREATE INDEX notifications_by_user ON notifications (user_id, is_read);
CREATE INDEX notifications_read ON notifications (read_at) WHERE read_at IS NOT NULL;
CREATE TRIGGER notifications_keep_newest BEFORE DELETE ON notifications WHEN OLD.id = (SELECT max(id) FROM notifications) BEGIN SELECT RAISE(ABORT, 'the newest of notifications stays, so that its id is never given again'); END;

CREATE TABLE notification_counts (
  user_id TEXT PRIMARY KEY,
  total INTEGER NOT NULL DEFAULT 0,
  unread INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

-- date and time are the wall clock of the latest occurrence; slot is the day that the recurrence rule gave it, from
-- which the next one follows even when this one was moved. due_at is when the next occurrence must exist (UTC ms), null
-- once there will be none.
CREATE TABLE meetings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL REFERENCES workspaces (no),
  project INTEGER NOT NULL REFERENCES projects (id),
  name TEXT NOT NULL,
  description TEXT,
  link TEXT,
  location TEXT,
  duration_minutes INTEGER NOT NULL,
  recurrence TEXT,
  first_date TEXT NOT NULL,
  first_time TEXT NOT NULL,
  occurrence INTEGER NOT NULL DEFAULT 1,
  slot TEXT NOT NULL,
  date TEXT NOT NULL,
  time TEXT NOT NULL,
  due_at INTEGER,
  created_by INTEGER NOT NULL REFERENCES members (no),
  created_at INTEGER NOT NULL,
  cancelled_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX meetings_by_project ON meetings (project, date, time, due_at) WHERE cancelled_at IS NULL;
CREATE INDEX meetings_by_workspace ON meetings (ws, date, time, due_at) WHERE cancelled_at IS NULL;
-- With those that were cancelled, for deleting a project.
CREATE INDEX meetings_of_project ON meetings (project);
CREATE INDEX meetings_due ON meetings (due_at) WHERE due_at IS NOT NULL AND cancelled_at IS NULL;

-- Who takes part in an occurrence, and with which task.
CREATE TABLE meeting_tasks (
  meeting INTEGER NOT NULL REFERENCES meetings (id),
  occurrence INTEGER NOT NULL,
  member INTEGER NOT NULL,
  task INTEGER NOT NULL,
  PRIMARY KEY (meeting, occurrence, member)
) WITHOUT ROWID;

-- A running entry has no end. The index allows one a member, whatever races.
CREATE TABLE time_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL,
  member INTEGER NOT NULL REFERENCES members (no),
  task INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
);
CREATE UNIQUE INDEX time_entries_running ON time_entries (member) WHERE ended_at IS NULL;
CREATE INDEX time_entries_by_member ON time_entries (member, started_at);
CREATE INDEX time_entries_by_task ON time_entries (task);

-- Files of tasks and projects, uploads that are under way, and the bytes that count against the plan.

-- parent is the first version of the file, null for the first version itself. latest marks the version that lists show.
-- s3_key is the name that clients know, object_key is where the bytes lie: a presigned upload is copied when it is
-- confirmed, because its own address can still be written to. Neither an id nor a key is ever given twice.
CREATE TABLE attachments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ws INTEGER NOT NULL,
  task INTEGER,
  project INTEGER,
  parent INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  latest INTEGER NOT NULL DEFAULT 1,
  file_name TEXT NOT NULL,
  file_type TEXT NOT NULL,
  file_size INTEGER NOT NULL,
  s3_key TEXT NOT NULL UNIQUE,
  object_key TEXT NOT NULL UNIQUE,
  etag TEXT NOT NULL,
  uploaded_by INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  CHECK ((task IS NULL) <> (project IS NULL))
);
CREATE INDEX attachments_by_task ON attachments (task) WHERE task IS NOT NULL AND latest = 1;
CREATE INDEX attachments_by_project ON attachments (project) WHERE project IS NOT NULL;
CREATE UNIQUE INDEX attachments_by_parent ON attachments (parent, version) WHERE parent IS NOT NULL;

-- Presigned uploads and chunked sessions until they end. reserved is what they hold of the plan. A presigned upload that
-- was confirmed stays until its address expires: only then nothing can be put there any more. Idempotency keys remember
-- the id, so it is never given twice.
CREATE TABLE uploads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  s3_key TEXT NOT NULL UNIQUE,
  ws INTEGER NOT NULL,
  member INTEGER NOT NULL,
  task INTEGER,
  project INTEGER,
  session TEXT,
  file_name TEXT NOT NULL,
  file_type TEXT NOT NULL,
  file_size INTEGER NOT NULL,
  reserved INTEGER NOT NULL,
  confirmed INTEGER NOT NULL DEFAULT 0,
  expires_at INTEGER NOT NULL
);
CREATE INDEX uploads_by_expiry ON uploads (expires_at);

-- Objects that a cron deletes: of removed attachments, and copies that are being made, until their attachment is
-- recorded. taken is set before the object is deleted, so that nothing can be recorded with it any more.
CREATE TABLE objects_to_delete (
  object_key TEXT PRIMARY KEY,
  delete_at INTEGER NOT NULL,
  taken INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX objects_to_delete_by_time ON objects_to_delete (delete_at);

-- Bytes of attachments, and bytes promised to uploads.
CREATE TABLE storage (
  ws INTEGER PRIMARY KEY,
  used INTEGER NOT NULL DEFAULT 0,
  reserved INTEGER NOT NULL DEFAULT 0
);

-- How far a job that goes through everything in pages has come.
CREATE TABLE job_positions (
  name TEXT PRIMARY KEY,
  position TEXT NOT NULL
) WITHOUT ROWID;

-- What was done under an Idempotency-Key, for 24 hours. id hashes the credential and the key, request hashes the
-- request. The row is written in the batch of the work; the answer follows, and entity is enough to rebuild it.
CREATE TABLE idempotency_keys (
  id TEXT PRIMARY KEY,
  request TEXT NOT NULL,
  entity INTEGER,
  status INTEGER,
  answer TEXT,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
