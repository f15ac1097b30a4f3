ALTER TABLE "code_failures" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "code_failures" CASCADE;--> statement-breakpoint
ALTER TABLE "otp_flows" DROP CONSTRAINT "otp_flows_claim";--> statement-breakpoint
ALTER TABLE "otp_codes" ADD COLUMN "stranger_attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "otp_codes" ADD COLUMN "is_second" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "otp_flows" ADD COLUMN "is_known" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "otp_flows" ADD COLUMN "proven_at" timestamp with time zone;--> statement-breakpoint
-- Which of a number's closed flows was proven is not known of those before: none of their tries is held against anybody.
UPDATE "otp_flows" SET "proven_at" = "closed_at" WHERE "closed_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "sms_days" ADD COLUMN "signup" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sms_days" ADD COLUMN "trusted" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sms_days" ADD COLUMN "decision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sms_messages" ADD COLUMN "is_trusted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sms_messages" ADD COLUMN "source_address" text;--> statement-breakpoint
ALTER TABLE "sms_messages" ADD COLUMN "source_network" text;--> statement-breakpoint
CREATE INDEX "otp_codes_created" ON "otp_codes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sms_messages_source" ON "sms_messages" USING btree ("source_network","created_at");--> statement-breakpoint
ALTER TABLE "otp_codes" ADD CONSTRAINT "otp_codes_stranger_attempts" CHECK ("otp_codes"."stranger_attempts" between 0 and 3);--> statement-breakpoint
ALTER TABLE "otp_flows" ADD CONSTRAINT "otp_flows_claim" CHECK (("otp_flows"."purpose" = 'signup') = ("otp_flows"."claim" is not null) or ("otp_flows"."purpose" = 'signup' and "otp_flows"."closed_at" is not null));