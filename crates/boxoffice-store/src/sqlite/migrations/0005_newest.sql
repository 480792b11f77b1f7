-- The latest instant that the store had come to at its last commit, so that nobody has to look for it
-- among all events when the store is opened.
ALTER TABLE meta ADD COLUMN newest_at_ms INTEGER NOT NULL DEFAULT 0;
UPDATE meta SET newest_at_ms = coalesce(
    (SELECT max((SELECT at_ms FROM events WHERE show_no = shows.no ORDER BY seq DESC LIMIT 1)) FROM shows), 0);
