-- Secrets of webhooks before previous_secret, newest first: a JSON array of {secret, until}.
ALTER TABLE webhooks ADD COLUMN older_secrets TEXT;
