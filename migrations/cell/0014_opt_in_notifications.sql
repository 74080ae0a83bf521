-- Types that notification lists leave out unless a request names them (docs/contract.md#notifications).
CREATE INDEX notifications_opt_in ON notifications (user_id, is_read) WHERE type IN ('unblocked', 'reminder');
