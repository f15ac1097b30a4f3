-- The indexes of what may hold a million rows are made by the online steps (server/database/online-steps.ts).
CREATE TABLE "reject_reasons" (
	"position" integer PRIMARY KEY NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "reject_reasons_text" CHECK (length(trim("reject_reasons"."text")) between 1 and 300)
);
--> statement-breakpoint
CREATE TABLE "tallies" (
	"what" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"count" integer NOT NULL,
	"francs" bigint NOT NULL,
	CONSTRAINT "tallies_what_hour_pk" PRIMARY KEY("what","hour")
);
--> statement-breakpoint
CREATE TABLE "tally_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tally_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"what" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"count" integer NOT NULL,
	"francs" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ticket_paths" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ticket_paths_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"folded" text NOT NULL,
	CONSTRAINT "ticket_paths_folded_unique" UNIQUE("folded")
);
--> statement-breakpoint
ALTER TABLE "payment_types" ADD COLUMN "icon" text;
--> statement-breakpoint
ALTER TABLE "payment_types" ADD COLUMN "operator" text;
--> statement-breakpoint
ALTER TABLE "payment_types" ADD COLUMN "countries" text[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE "services" ADD COLUMN "operator_note" text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "path_id" integer;
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "search_text" text;
--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "code" text;
--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "count" integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE "payment_types" ADD CONSTRAINT "payment_types_countries" CHECK ("payment_types"."countries" <@ array['+226', '+225', '+223', '+227', '+229', '+228', '+221']);
--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_count" CHECK ("audit_log"."count" >= 1);
