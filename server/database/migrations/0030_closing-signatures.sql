CREATE TABLE "payment_closings" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_closings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"day" date NOT NULL,
	"figures" jsonb NOT NULL,
	"digest" text NOT NULL,
	"signed_by" integer,
	"signed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payment_closings" ADD CONSTRAINT "payment_closings_account_id_payment_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."payment_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_closings" ADD CONSTRAINT "payment_closings_signed_by_users_id_fk" FOREIGN KEY ("signed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_closings_once" ON "payment_closings" USING btree ("account_id","day");--> statement-breakpoint
CREATE INDEX "payment_closings_signed_by" ON "payment_closings" USING btree ("signed_by");--> statement-breakpoint
CREATE INDEX "ticket_events_approved" ON "ticket_events" USING btree ("created_at") WHERE "ticket_events"."status" = 'approved';