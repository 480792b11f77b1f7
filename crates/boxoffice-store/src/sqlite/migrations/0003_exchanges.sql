-- An exchange pays one booking with money of another's payment: there a refund row that stays with the
-- provider, here a payment row that the provider knows by the other's payment. Each names the other, as
-- JSON; `dispute_told` is how much of the payment's dispute has been passed on.
ALTER TABLE payments ADD COLUMN moved_from TEXT;
ALTER TABLE refunds ADD COLUMN moved_to TEXT;
ALTER TABLE refunds ADD COLUMN dispute_told TEXT;

-- One payment of a provider belongs to one attempt; what an exchange moved on is no payment of its own.
DROP INDEX payments_by_provider;
CREATE UNIQUE INDEX payments_by_provider ON payments (gateway, payment_id)
    WHERE payment_id IS NOT NULL AND moved_from IS NULL;
