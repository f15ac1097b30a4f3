-- What no hour is known of stays doubtful.
UPDATE "payment_lines" SET "anomaly" = 'Rien ne dit l''heure du paiement.' WHERE "is_day_only" AND "anomaly" IS NULL;--> statement-breakpoint
ALTER TABLE "payment_lines" DROP COLUMN "is_day_only";
