-- Since when nothing is sold, because the store was restored from a backup. Null: it sells.
ALTER TABLE meta ADD COLUMN sales_closed_at_ms INTEGER;

-- Payments that were open at the restore, and that no provider has answered for since.
CREATE TABLE unanswered (
    booking BLOB NOT NULL,
    no INTEGER NOT NULL,
    PRIMARY KEY (booking, no),
    FOREIGN KEY (booking, no) REFERENCES payments (booking, no)
) STRICT, WITHOUT ROWID;

-- What is still to be given back, to be counted.
CREATE INDEX refunds_open ON refunds (requested_at_ms) WHERE status <> 'succeeded';
