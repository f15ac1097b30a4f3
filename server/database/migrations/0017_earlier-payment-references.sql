-- The index tickets_plain_reference, which takes the place of tickets_payment_reference, is made by the online steps
-- (server/database/online-steps.ts): a million rows want it.
ALTER TABLE "tickets" ADD COLUMN "earlier_references" text[] DEFAULT '{}' NOT NULL;
