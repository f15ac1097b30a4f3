ALTER TABLE "payment_messages" DROP CONSTRAINT "payment_messages_state";--> statement-breakpoint
ALTER TABLE "payment_messages" ALTER COLUMN "state" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "payment_messages" ADD CONSTRAINT "payment_messages_state" CHECK ("payment_messages"."state" in ('parsed', 'ignored', 'unread', 'refused'));