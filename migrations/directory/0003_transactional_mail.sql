-- The sweep finds sign-in mail without reading past thousands of due notifications, which carry an unsubscribe link.
CREATE INDEX outbox_due_transactional ON outbox (next_attempt_at) WHERE next_attempt_at IS NOT NULL AND unsubscribe IS NULL;
