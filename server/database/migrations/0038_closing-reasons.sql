DROP INDEX "payment_closings_once";--> statement-breakpoint
ALTER TABLE "payment_closings" ADD COLUMN "reasons" jsonb DEFAULT '{"gaps":[]}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "payment_closings_day" ON "payment_closings" USING btree ("account_id","day","id");