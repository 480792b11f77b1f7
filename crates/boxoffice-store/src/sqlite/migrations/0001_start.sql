-- One row: what the whole store shares. `catalogue_version` rises with each import and
-- `clock_version` with each change of the test clock, so that a reader sees in one row whether
-- what it remembers still stands.
CREATE TABLE meta (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    epoch INTEGER NOT NULL,
    catalogue_version INTEGER NOT NULL,
    clock_version INTEGER NOT NULL,
    clock_offset_ms INTEGER NOT NULL,
    clock_frozen_at_ms INTEGER
) STRICT;

-- Theatres, screens, movies, taxes, fees, price lists and refund policies, as JSON.
CREATE TABLE catalogue (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT;

CREATE TABLE layouts (
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (id, version)
) STRICT;

-- A show keeps the layout version it sells from. Its own version is the sequence number of its
-- last event, or `version_floor` where moving it to other seats has raised it past that.
CREATE TABLE shows (
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    theatre TEXT NOT NULL,
    screen TEXT NOT NULL,
    movie TEXT NOT NULL,
    starts_at_ms INTEGER NOT NULL,
    business_day TEXT NOT NULL,
    layout_id TEXT NOT NULL,
    layout_version INTEGER NOT NULL,
    version_floor INTEGER NOT NULL DEFAULT 0,
    body TEXT NOT NULL,
    FOREIGN KEY (layout_id, layout_version) REFERENCES layouts (id, version)
) STRICT;
CREATE INDEX shows_by_start ON shows (starts_at_ms, id);
CREATE INDEX shows_by_screen ON shows (screen, starts_at_ms);

-- At most one claim per show and seat: this key holds even if every lock is off.
CREATE TABLE claims (
    show_no INTEGER NOT NULL,
    seat_no INTEGER NOT NULL,
    state TEXT NOT NULL,
    booking BLOB,
    until_ms INTEGER,
    PRIMARY KEY (show_no, seat_no)
) STRICT, WITHOUT ROWID;

-- `id` leads with the show's number, so a show's bookings stand together in its index.
-- `terms` is what the hold froze: seats, prices, refund policy, the show as it stood.
CREATE TABLE bookings (
    no INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    show_no INTEGER NOT NULL REFERENCES shows (no),
    reference TEXT NOT NULL,
    status TEXT NOT NULL,
    channel TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    first_deadline_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    extended INTEGER NOT NULL,
    -- The number of the payment that confirmed it.
    paid_by INTEGER,
    due_at_ms INTEGER,
    customer_name TEXT,
    customer_email TEXT,
    customer_phone TEXT,
    customer_locale TEXT,
    terms TEXT NOT NULL,
    cancellation TEXT
) STRICT;
CREATE INDEX bookings_by_reference ON bookings (reference);
CREATE INDEX bookings_due ON bookings (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE payments (
    booking BLOB NOT NULL REFERENCES bookings (id),
    no INTEGER NOT NULL,
    gateway TEXT NOT NULL,
    payment_id TEXT,
    status TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    captured INTEGER,
    captured_currency TEXT,
    checkout_url TEXT,
    return_url TEXT NOT NULL,
    returned INTEGER NOT NULL,
    -- The attempt on whose page this money came as a second payment.
    second_on INTEGER,
    checkout_ends_at_ms INTEGER NOT NULL,
    started_at_ms INTEGER NOT NULL,
    closed INTEGER NOT NULL,
    ask_at_ms INTEGER,
    PRIMARY KEY (booking, no)
) STRICT, WITHOUT ROWID;
-- One payment of a provider belongs to one attempt, whatever road its news takes.
CREATE UNIQUE INDEX payments_by_provider ON payments (gateway, payment_id) WHERE payment_id IS NOT NULL;

CREATE TABLE refunds (
    booking BLOB NOT NULL REFERENCES bookings (id),
    no INTEGER NOT NULL,
    payment INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    reason TEXT NOT NULL,
    status TEXT NOT NULL,
    provider_refund_id TEXT,
    requested_at_ms INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    next_try_at_ms INTEGER,
    PRIMARY KEY (booking, no),
    FOREIGN KEY (booking, payment) REFERENCES payments (booking, no)
) STRICT, WITHOUT ROWID;

CREATE TABLE tickets (
    booking BLOB NOT NULL REFERENCES bookings (id),
    no INTEGER NOT NULL,
    seat_no INTEGER NOT NULL,
    label TEXT NOT NULL,
    ticket_type TEXT NOT NULL,
    status TEXT NOT NULL,
    void_reason TEXT,
    serial INTEGER NOT NULL,
    PRIMARY KEY (booking, no)
) STRICT, WITHOUT ROWID;

-- What happened, in order, show by show. `detail` is JSON where the kind has any.
CREATE TABLE events (
    show_no INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    booking BLOB,
    kind TEXT NOT NULL,
    detail TEXT,
    PRIMARY KEY (show_no, seq)
) STRICT, WITHOUT ROWID;

-- Rows are numbered in order of time, so the oldest are swept from the front.
CREATE TABLE idempotency (
    no INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    at_ms INTEGER NOT NULL,
    -- NULL while the request's last step is still to come.
    outcome TEXT,
    UNIQUE (scope, key)
) STRICT;

-- Captured money that names no attempt of ours.
CREATE TABLE orphans (
    gateway TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    seen_at_ms INTEGER NOT NULL,
    PRIMARY KEY (gateway, payment_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE documents (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT;
