-- Open sets that expired keep no items. They are found by this index until they are deleted, when every token that could
-- still stage into them has expired.
CREATE INDEX change_sets_abandoned ON change_sets (expires_at) WHERE status = 'open' AND items = 0;
-- Proposals are listed only on request, like the other newer types (docs/contract.md#notifications).
DROP INDEX notifications_opt_in;
CREATE INDEX notifications_opt_in ON notifications (user_id, is_read) WHERE type IN ('unblocked', 'reminder', 'changes_proposed');
