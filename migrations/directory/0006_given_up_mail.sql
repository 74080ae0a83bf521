-- The operator page finds given-up mail without reading a week of sent mail.
CREATE INDEX outbox_given_up ON outbox (created_at) WHERE sent_at IS NULL AND next_attempt_at IS NULL;
