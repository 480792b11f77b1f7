-- What staff did, each row written with the change that it tells of. It names keys and things of the
-- cinema, and no customer.
CREATE TABLE actions (
    no INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    by TEXT NOT NULL,
    what TEXT NOT NULL,
    booking BLOB,
    subject TEXT NOT NULL
) STRICT;
CREATE INDEX actions_by_booking ON actions (booking) WHERE booking IS NOT NULL;
CREATE TRIGGER actions_are_not_changed BEFORE UPDATE ON actions
    BEGIN SELECT RAISE(ABORT, 'the staff log is only added to'); END;
CREATE TRIGGER actions_are_not_deleted BEFORE DELETE ON actions
    BEGIN SELECT RAISE(ABORT, 'the staff log is only added to'); END;

-- Bookings that name a person. `id` leads with the show's number, and shows are looked up by their start.
CREATE INDEX bookings_of_persons ON bookings (id)
    WHERE customer_name IS NOT NULL OR customer_email IS NOT NULL OR customer_phone IS NOT NULL;
