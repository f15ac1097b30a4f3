CREATE TABLE "payment_accounts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"payment_type_id" integer,
	"country" text NOT NULL,
	"number" text NOT NULL,
	"label" text NOT NULL,
	"allowed_senders" text[] DEFAULT '{}' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_lines" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_lines_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"line_key" text NOT NULL,
	"nameless_key" text,
	"direction" text NOT NULL,
	"state" text NOT NULL,
	"gross" integer NOT NULL,
	"fee" bigint,
	"balance_after" bigint,
	"reference" text,
	"plain_reference" text,
	"our_reference" integer,
	"payer" text,
	"paid_at" timestamp with time zone NOT NULL,
	"seen_in" integer NOT NULL,
	"is_trusted" boolean DEFAULT false NOT NULL,
	"is_ignored" boolean DEFAULT false NOT NULL,
	"anomaly" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_lines_gross_positive" CHECK ("payment_lines"."gross" >= 0),
	CONSTRAINT "payment_lines_direction" CHECK ("payment_lines"."direction" in ('in', 'out', 'fee', 'reversal')),
	CONSTRAINT "payment_lines_state" CHECK ("payment_lines"."state" in ('announced', 'settled', 'failed', 'reversed'))
);
--> statement-breakpoint
CREATE TABLE "payment_matches" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_matches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"line_id" integer NOT NULL,
	"ticket_id" integer NOT NULL,
	"rule" text NOT NULL,
	"evidence" jsonb NOT NULL,
	"decided_by" integer,
	"decided_at" timestamp with time zone DEFAULT now() NOT NULL,
	"undone_by" integer,
	"undone_at" timestamp with time zone,
	CONSTRAINT "payment_matches_rule" CHECK ("payment_matches"."rule" in ('R0', 'R1', 'R2', 'R2b', 'R3', 'R4', 'person'))
);
--> statement-breakpoint
CREATE TABLE "payment_messages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"source_id" integer,
	"content_hash" text NOT NULL,
	"sender" text,
	"sent_at" timestamp with time zone,
	"state" text DEFAULT 'waiting' NOT NULL,
	"why" text,
	"parser" text,
	"sealed_text" text,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_messages_state" CHECK ("payment_messages"."state" in ('waiting', 'parsed', 'ignored', 'unread', 'refused'))
);
--> statement-breakpoint
CREATE TABLE "payment_sources" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_sources_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"kind" text NOT NULL,
	"secret_hash" text NOT NULL,
	"signing_secret" text,
	"previous_secret_hash" text,
	"previous_signing_secret" text,
	"previous_until" timestamp with time zone,
	"last_seen_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "statement_imports" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "statement_imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"sha256" text NOT NULL,
	"model" text NOT NULL,
	"rows" integer NOT NULL,
	"period_from" timestamp with time zone,
	"period_to" timestamp with time zone,
	"imported_by" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tickets" DROP CONSTRAINT "tickets_payment_reference_form";
--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "payer_phone" text;
--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "payer_reminded_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "payment_accounts" ADD CONSTRAINT "payment_accounts_payment_type_id_payment_types_id_fk" FOREIGN KEY ("payment_type_id") REFERENCES "public"."payment_types"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_lines" ADD CONSTRAINT "payment_lines_account_id_payment_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."payment_accounts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_matches" ADD CONSTRAINT "payment_matches_line_id_payment_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."payment_lines"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_matches" ADD CONSTRAINT "payment_matches_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_matches" ADD CONSTRAINT "payment_matches_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_matches" ADD CONSTRAINT "payment_matches_undone_by_users_id_fk" FOREIGN KEY ("undone_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_messages" ADD CONSTRAINT "payment_messages_account_id_payment_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."payment_accounts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_messages" ADD CONSTRAINT "payment_messages_source_id_payment_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."payment_sources"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_sources" ADD CONSTRAINT "payment_sources_account_id_payment_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."payment_accounts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "statement_imports" ADD CONSTRAINT "statement_imports_account_id_payment_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."payment_accounts"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "statement_imports" ADD CONSTRAINT "statement_imports_imported_by_users_id_fk" FOREIGN KEY ("imported_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_accounts_once" ON "payment_accounts" USING btree ("payment_type_id","country","number");
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_lines_once" ON "payment_lines" USING btree ("account_id","line_key");
--> statement-breakpoint
CREATE INDEX "payment_lines_paid" ON "payment_lines" USING btree ("paid_at","id");
--> statement-breakpoint
CREATE INDEX "payment_lines_account" ON "payment_lines" USING btree ("account_id","paid_at","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_lines_nameless_once" ON "payment_lines" USING btree ("account_id","nameless_key") WHERE "payment_lines"."nameless_key" is not null;
--> statement-breakpoint
CREATE INDEX "payment_lines_nameless" ON "payment_lines" USING btree ("account_id","paid_at") WHERE "payment_lines"."plain_reference" is null;
--> statement-breakpoint
CREATE INDEX "payment_lines_balance" ON "payment_lines" USING btree ("account_id","balance_after") WHERE "payment_lines"."balance_after" is not null;
--> statement-breakpoint
CREATE INDEX "payment_lines_reference" ON "payment_lines" USING btree ("plain_reference") WHERE "payment_lines"."plain_reference" is not null;
--> statement-breakpoint
CREATE INDEX "payment_lines_payer" ON "payment_lines" USING btree ("payer","gross","paid_at") WHERE "payment_lines"."payer" is not null;
--> statement-breakpoint
CREATE INDEX "payment_lines_gross" ON "payment_lines" USING btree ("gross","paid_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_matches_line" ON "payment_matches" USING btree ("line_id") WHERE "payment_matches"."undone_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_matches_ticket" ON "payment_matches" USING btree ("ticket_id") WHERE "payment_matches"."undone_at" is null;
--> statement-breakpoint
CREATE INDEX "payment_matches_decided_by" ON "payment_matches" USING btree ("decided_by");
--> statement-breakpoint
CREATE INDEX "payment_matches_undone_by" ON "payment_matches" USING btree ("undone_by");
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_messages_once" ON "payment_messages" USING btree ("account_id","content_hash");
--> statement-breakpoint
CREATE INDEX "payment_messages_received" ON "payment_messages" USING btree ("received_at","id");
--> statement-breakpoint
CREATE INDEX "payment_messages_unread" ON "payment_messages" USING btree ("id") WHERE "payment_messages"."state" in ('unread', 'refused');
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_sources_secret" ON "payment_sources" USING btree ("secret_hash");
--> statement-breakpoint
CREATE INDEX "payment_sources_previous" ON "payment_sources" USING btree ("previous_secret_hash");
--> statement-breakpoint
CREATE INDEX "payment_sources_account" ON "payment_sources" USING btree ("account_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "statement_imports_once" ON "statement_imports" USING btree ("account_id","sha256");
--> statement-breakpoint
CREATE INDEX "statement_imports_by" ON "statement_imports" USING btree ("imported_by");
--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_payment_reference_form" CHECK ("tickets"."payment_reference" is null or ("tickets"."payment_reference" ~ '^[A-Z0-9._/-]{1,40}$' and "tickets"."payment_declared_at" is not null)) NOT VALID;
