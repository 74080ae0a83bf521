-- When the password was last changed or reset: session tokens of an earlier sign-in make no new credentials.
ALTER TABLE users ADD COLUMN password_changed_at INTEGER;
-- From the moment that the person ends what was connected until then, until the cells have done so.
ALTER TABLE users ADD COLUMN access_ends_at INTEGER;
