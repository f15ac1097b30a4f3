DROP TABLE "sign_in_attempts" CASCADE;--> statement-breakpoint
ALTER TABLE "reset_tokens" DROP COLUMN "used_at";