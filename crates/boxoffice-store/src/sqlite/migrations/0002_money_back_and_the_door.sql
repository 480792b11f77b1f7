-- A show that changes under its bookings rises in `changes`; a job brings the bookings into line and
-- says up to which change in `followed`.
ALTER TABLE shows ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE shows ADD COLUMN followed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX shows_to_follow ON shows (no) WHERE changes > followed;

-- A booking can be given back in parts: a list, where there was one.
ALTER TABLE bookings RENAME COLUMN cancellation TO cancellations;
UPDATE bookings SET cancellations = json_array(json(cancellations)) WHERE cancellations IS NOT NULL;
UPDATE idempotency SET outcome = json_set(outcome, '$.booking.cancellations',
    json_array(json_extract(outcome, '$.booking.cancellation')))
    WHERE json_extract(outcome, '$.booking.cancellation') IS NOT NULL;
CREATE INDEX bookings_by_email ON bookings (customer_email COLLATE NOCASE) WHERE customer_email IS NOT NULL;

-- `open`, `won` or `lost`, and what the bank took back, in the currency that was captured.
ALTER TABLE payments ADD COLUMN dispute TEXT;
ALTER TABLE payments ADD COLUMN dispute_lost INTEGER;

-- JSON: which tickets it belongs to, and who asked for it and why, if staff did.
ALTER TABLE refunds ADD COLUMN shares TEXT;
ALTER TABLE refunds ADD COLUMN by_staff TEXT;

-- JSON: the scans that let somebody in.
ALTER TABLE tickets ADD COLUMN holder TEXT;
ALTER TABLE tickets ADD COLUMN scans TEXT;

-- What customers are told, each once: written with what it tells of, sent by a job.
CREATE TABLE notices (
    booking BLOB NOT NULL REFERENCES bookings (id),
    no INTEGER NOT NULL,
    kind TEXT NOT NULL,
    -- JSON: the kind with all that it carries.
    detail TEXT NOT NULL,
    status TEXT NOT NULL,
    made_at_ms INTEGER NOT NULL,
    due_since_ms INTEGER NOT NULL,
    resends INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    next_try_at_ms INTEGER,
    sent_at_ms INTEGER,
    links_only INTEGER NOT NULL,
    last_error TEXT,
    PRIMARY KEY (booking, no)
) STRICT, WITHOUT ROWID;
CREATE INDEX notices_by_status ON notices (status, booking, no);
CREATE INDEX notices_due ON notices (next_try_at_ms, booking, no) WHERE next_try_at_ms IS NOT NULL;

-- The books in double entry: a debit is positive, a credit negative, and the lines of one booking with
-- one number sum to nothing. `seq` is the show's version after the step; 0 opens a booking that is older
-- than the ledger. Bookings of a store that is older are opened once, which `meta` remembers.
CREATE TABLE ledger (
    show_no INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    booking BLOB NOT NULL REFERENCES bookings (id),
    account TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (show_no, seq, booking, account, currency)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_by_time ON ledger (at_ms);
CREATE TRIGGER ledger_is_not_changed BEFORE UPDATE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
CREATE TRIGGER ledger_is_not_deleted BEFORE DELETE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the ledger is only added to'); END;
ALTER TABLE meta ADD COLUMN ledger_opened INTEGER NOT NULL DEFAULT 0;
