CREATE TABLE "payment_imports" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"file_name" text NOT NULL,
	"model" text NOT NULL,
	"operator" text NOT NULL,
	"created" integer DEFAULT 0 NOT NULL,
	"completed" integer DEFAULT 0 NOT NULL,
	"over" integer[] DEFAULT '{}' NOT NULL,
	"imported_by" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payment_lines" ADD COLUMN "import_id" integer;--> statement-breakpoint
ALTER TABLE "payment_lines" ADD COLUMN "before_import" jsonb;--> statement-breakpoint
ALTER TABLE "payment_imports" ADD CONSTRAINT "payment_imports_account_id_payment_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."payment_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_imports" ADD CONSTRAINT "payment_imports_imported_by_users_id_fk" FOREIGN KEY ("imported_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_imports_account" ON "payment_imports" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "payment_imports_by" ON "payment_imports" USING btree ("imported_by");--> statement-breakpoint
CREATE INDEX "payment_lines_import" ON "payment_lines" USING btree ("import_id") WHERE "payment_lines"."import_id" is not null;--> statement-breakpoint
CREATE INDEX "payment_matches_of_line" ON "payment_matches" USING btree ("line_id");