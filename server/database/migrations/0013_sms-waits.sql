ALTER TABLE "sms_gateways" ADD COLUMN "unanswered_in_a_row" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sms_gateways" ADD COLUMN "next_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sms_gateways" ADD COLUMN "recent_tried" real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sms_gateways" ADD COLUMN "recent_failed" real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sms_gateways" ADD COLUMN "recent_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sms_gateways" ADD COLUMN "balance_failure" text;--> statement-breakpoint
ALTER TABLE "sms_messages" ADD COLUMN "job_id" bigint;--> statement-breakpoint
CREATE INDEX "sms_messages_queued" ON "sms_messages" USING btree ("id") WHERE "sms_messages"."status" = 'queued';