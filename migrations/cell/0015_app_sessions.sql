-- credential is the API key or token of the app that made the change (null: a person or the service). undo_of is the
-- credential whose change the event undoes. replaced has former values that changes leaves out because they are long.
ALTER TABLE events ADD COLUMN credential INTEGER;
ALTER TABLE events ADD COLUMN undo_of INTEGER;
ALTER TABLE events ADD COLUMN replaced TEXT;
CREATE INDEX events_by_credential ON events (credential) WHERE credential IS NOT NULL;
