-- Numbers that were given to what was deleted since, and are not given again: bookings carry the number of their show,
-- and know a seat by its place in a version of a layout.
ALTER TABLE meta ADD COLUMN last_show INTEGER NOT NULL DEFAULT 0;
CREATE TABLE deleted_layouts (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
