-- A reference is random: an index over it makes each booking write a page of its own, while a crowd holds seats. What waits for its
-- payment is found among what is due, and gets its place here when the wait is over.
DROP INDEX bookings_by_reference;
CREATE INDEX bookings_by_reference ON bookings (reference) WHERE status <> 'pending_payment';
