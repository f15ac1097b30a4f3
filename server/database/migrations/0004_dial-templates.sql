CREATE TABLE "code_reports" (
	"ticket_id" integer PRIMARY KEY NOT NULL,
	"dial_template_id" integer,
	"service_id" integer,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "code_reports_reason" CHECK ("code_reports"."reason" in ('no-answer', 'invalid-code', 'amount-refused', 'other'))
);
--> statement-breakpoint
CREATE TABLE "dial_templates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dial_templates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"payment_type_id" integer NOT NULL,
	"country" text NOT NULL,
	"template" text NOT NULL,
	"merchant" text DEFAULT '' NOT NULL,
	"state" text DEFAULT 'unverified' NOT NULL,
	"message" text,
	"source" text,
	"verified_at" timestamp with time zone,
	"checked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dial_templates_country" CHECK (array["dial_templates"."country"] <@ array['+226', '+225', '+223', '+227', '+229', '+228', '+221']),
	CONSTRAINT "dial_templates_state" CHECK ("dial_templates"."state" in ('unverified', 'verified', 'reported', 'broken'))
);
--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "dial_operator" text;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "dial_template_id" integer;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "code_reported_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "code_reports" ADD CONSTRAINT "code_reports_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "code_reports" ADD CONSTRAINT "code_reports_dial_template_id_dial_templates_id_fk" FOREIGN KEY ("dial_template_id") REFERENCES "public"."dial_templates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "code_reports" ADD CONSTRAINT "code_reports_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "public"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dial_templates" ADD CONSTRAINT "dial_templates_payment_type_id_payment_types_id_fk" FOREIGN KEY ("payment_type_id") REFERENCES "public"."payment_types"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "code_reports_template" ON "code_reports" USING btree ("dial_template_id","created_at");--> statement-breakpoint
CREATE INDEX "code_reports_service" ON "code_reports" USING btree ("service_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "dial_templates_once" ON "dial_templates" USING btree ("payment_type_id","country");