ALTER TABLE "sms_days" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "sms_days" CASCADE;--> statement-breakpoint
ALTER TABLE "sms_messages" DROP CONSTRAINT "sms_messages_delivery";--> statement-breakpoint
ALTER TABLE "sms_settings" DROP CONSTRAINT "sms_settings_caps";--> statement-breakpoint
DROP INDEX "sms_messages_reference";--> statement-breakpoint
DROP INDEX "sms_messages_gateway";--> statement-breakpoint
ALTER TABLE "sms_gateways" ALTER COLUMN "position" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "sms_settings" ALTER COLUMN "per_country_and_day" SET DEFAULT 500;--> statement-breakpoint
ALTER TABLE "sms_gateways" DROP COLUMN "unanswered_in_a_row";--> statement-breakpoint
ALTER TABLE "sms_gateways" DROP COLUMN "next_at";--> statement-breakpoint
ALTER TABLE "sms_gateways" DROP COLUMN "recent_tried";--> statement-breakpoint
ALTER TABLE "sms_gateways" DROP COLUMN "recent_failed";--> statement-breakpoint
ALTER TABLE "sms_gateways" DROP COLUMN "recent_at";--> statement-breakpoint
ALTER TABLE "sms_gateways" DROP COLUMN "balance";--> statement-breakpoint
ALTER TABLE "sms_gateways" DROP COLUMN "balance_at";--> statement-breakpoint
ALTER TABLE "sms_gateways" DROP COLUMN "balance_failure";--> statement-breakpoint
ALTER TABLE "sms_messages" DROP COLUMN "reference";--> statement-breakpoint
ALTER TABLE "sms_messages" DROP COLUMN "provider";--> statement-breakpoint
ALTER TABLE "sms_messages" DROP COLUMN "job_id";--> statement-breakpoint
ALTER TABLE "sms_messages" DROP COLUMN "doubtful";--> statement-breakpoint
ALTER TABLE "sms_messages" DROP COLUMN "gateway_id";--> statement-breakpoint
ALTER TABLE "sms_messages" DROP COLUMN "failure";--> statement-breakpoint
ALTER TABLE "sms_messages" DROP COLUMN "delivery";--> statement-breakpoint
ALTER TABLE "sms_messages" DROP COLUMN "delivered_at";--> statement-breakpoint
ALTER TABLE "sms_messages" DROP COLUMN "attempts";--> statement-breakpoint
ALTER TABLE "sms_settings" DROP COLUMN "per_day";--> statement-breakpoint
ALTER TABLE "sms_settings" ADD CONSTRAINT "sms_settings_caps" CHECK ("sms_settings"."per_country_and_day" between 0 and 1000000);