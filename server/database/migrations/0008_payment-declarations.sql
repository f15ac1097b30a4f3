-- The index tickets_payment_reference is made by the online steps (server/database/online-steps.ts), which also hold the rows
-- that are there to the constraint: looking at a million of them here would keep everybody waiting.
ALTER TABLE "tickets" ADD COLUMN "payment_reference" text;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "payment_declared_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_payment_reference_form" CHECK ("tickets"."payment_reference" is null or ("tickets"."payment_reference" ~ '^[A-Z0-9./-]{1,40}$' and "tickets"."payment_declared_at" is not null)) NOT VALID;
