-- The operator page finds failing and stopped webhooks without reading the others.
CREATE INDEX webhooks_stuck ON webhooks (failing_since) WHERE failures > 0 OR status = 'stopped';
