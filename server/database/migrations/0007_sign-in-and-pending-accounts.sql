CREATE TABLE "sign_in_attempts" (
	"account" text NOT NULL,
	"source" text NOT NULL,
	"failures" integer NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"forget_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sign_in_attempts_account_source_pk" PRIMARY KEY("account","source")
);
--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_password";--> statement-breakpoint
DROP INDEX "users_email_once";--> statement-breakpoint
ALTER TABLE "otp_flows" ADD COLUMN "key_hash" text;--> statement-breakpoint
CREATE INDEX "sign_in_attempts_forget" ON "sign_in_attempts" USING btree ("forget_at");--> statement-breakpoint
CREATE INDEX "otp_codes_flow" ON "otp_codes" USING btree ("flow_id");--> statement-breakpoint
CREATE INDEX "users_email" ON "users" USING btree (lower("email")) WHERE "users"."email" is not null and "users"."is_verified";--> statement-breakpoint
CREATE INDEX "users_never_verified" ON "users" USING btree ("updated_at") WHERE not ("users"."is_verified" or "users"."is_guest" or "users"."is_admin") and "users"."deactivated_at" is null;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_password" CHECK (not "users"."is_admin" or "users"."password" is not null);
--> statement-breakpoint
-- A password that no code proved is kept by its sign-up alone (otp_flows), never by the account.
UPDATE "users" SET "password" = null
  WHERE not ("is_verified" or "is_guest" or "is_admin") and "deactivated_at" is null;--> statement-breakpoint
-- Administrators are told of accounts that somebody guesses at, and of nothing before that.
CREATE TRIGGER "sign_in_attempts_announce" AFTER INSERT OR UPDATE ON "sign_in_attempts"
  FOR EACH ROW WHEN (new.source = 'any' and new.failures >= 20) EXECUTE FUNCTION announce_table('sign-in-attacks');
--> statement-breakpoint
CREATE TRIGGER "sign_in_attempts_announce_end" AFTER DELETE ON "sign_in_attempts"
  FOR EACH ROW WHEN (old.source = 'any' and old.failures >= 20) EXECUTE FUNCTION announce_table('sign-in-attacks');
