-- Replies to comments (docs/adr/0063).
ALTER TABLE comments ADD COLUMN parent INTEGER;
