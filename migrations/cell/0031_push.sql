-- Notifications from before the update are not pushed.
INSERT INTO job_positions (name, position) SELECT 'push.considered', coalesce(max(id), 0) FROM notifications;
