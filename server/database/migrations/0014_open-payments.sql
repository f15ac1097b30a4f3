ALTER TABLE "payment_lines" ADD COLUMN "is_day_only" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "payment_lines" ADD COLUMN "is_matched" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE INDEX "payment_lines_open" ON "payment_lines" USING btree ("paid_at","id") WHERE "payment_lines"."direction" = 'in' and "payment_lines"."state" in ('announced', 'settled') and not "payment_lines"."is_ignored" and not "payment_lines"."is_matched";
--> statement-breakpoint
CREATE INDEX "payment_lines_reversal" ON "payment_lines" USING btree ("account_id","plain_reference") WHERE "payment_lines"."direction" = 'reversal';
