CREATE TABLE "payment_previous_addresses" (
	"secret_hash" text PRIMARY KEY NOT NULL,
	"source_id" integer NOT NULL,
	"signing_secret" text,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "payment_sources_previous";--> statement-breakpoint
ALTER TABLE "payment_accounts" ADD COLUMN "former_payment_type_id" integer;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "former_country" text;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "former_payment_type_id" integer;--> statement-breakpoint
ALTER TABLE "payment_previous_addresses" ADD CONSTRAINT "payment_previous_addresses_source_id_payment_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."payment_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_previous_addresses_source" ON "payment_previous_addresses" USING btree ("source_id");--> statement-breakpoint
INSERT INTO "payment_previous_addresses" ("secret_hash", "source_id", "signing_secret", "until")
SELECT "previous_secret_hash", "id", "previous_signing_secret", "previous_until" FROM "payment_sources" WHERE "previous_until" > now();--> statement-breakpoint
ALTER TABLE "payment_sources" DROP COLUMN "previous_secret_hash";--> statement-breakpoint
ALTER TABLE "payment_sources" DROP COLUMN "previous_signing_secret";--> statement-breakpoint
ALTER TABLE "payment_sources" DROP COLUMN "previous_until";