-- The version that a stored answer shows, so that a repeated request gets the same ETag.
ALTER TABLE idempotency_keys ADD COLUMN version INTEGER;
