CREATE TABLE "alarms" (
	"key" text PRIMARY KEY NOT NULL,
	"level" text NOT NULL,
	"message" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"told_at" timestamp with time zone,
	CONSTRAINT "alarms_level" CHECK ("alarms"."level" in ('warning', 'critical'))
);
--> statement-breakpoint
CREATE TABLE "code_failures" (
	"phone" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"file" text NOT NULL,
	"bytes" bigint,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "push_keys" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"public_key" text NOT NULL,
	"private_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "push_keys_one" CHECK ("push_keys"."id")
);
--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "push_subscriptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "push_subscriptions_endpoint_unique" UNIQUE("endpoint")
);
--> statement-breakpoint
CREATE TABLE "sms_days" (
	"day" date NOT NULL,
	"dial_code" text NOT NULL,
	"queued" integer NOT NULL,
	CONSTRAINT "sms_days_day_dial_code_pk" PRIMARY KEY("day","dial_code")
);
--> statement-breakpoint
CREATE TABLE "sms_gateways" (
	"name" text PRIMARY KEY NOT NULL,
	"position" integer,
	"dial_codes" text NOT NULL,
	"last_sent_at" timestamp with time zone,
	"last_failed_at" timestamp with time zone,
	"failure" text,
	"failures_in_a_row" integer DEFAULT 0 NOT NULL,
	"balance" integer,
	"balance_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sms_settings" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"per_day" integer DEFAULT 500 NOT NULL,
	"per_country_and_day" integer DEFAULT 100 NOT NULL,
	"on_decision" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sms_settings_one" CHECK ("sms_settings"."id"),
	CONSTRAINT "sms_settings_caps" CHECK ("sms_settings"."per_day" between 0 and 1000000 and "sms_settings"."per_country_and_day" between 0 and 1000000)
);
--> statement-breakpoint
ALTER TABLE "sms_messages" ADD COLUMN "kind" text DEFAULT 'code' NOT NULL;--> statement-breakpoint
ALTER TABLE "sms_messages" ADD COLUMN "reference" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "sms_messages" ADD COLUMN "flow_id" uuid;--> statement-breakpoint
ALTER TABLE "sms_messages" ADD COLUMN "gateway_id" text;--> statement-breakpoint
ALTER TABLE "sms_messages" ADD COLUMN "failure" text;--> statement-breakpoint
ALTER TABLE "sms_messages" ADD COLUMN "delivery" text;--> statement-breakpoint
ALTER TABLE "sms_messages" ADD COLUMN "delivered_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sms_messages" ADD COLUMN "converted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "backups_started" ON "backups" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "push_subscriptions_user" ON "push_subscriptions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sms_messages_flow" ON "sms_messages" USING btree ("flow_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sms_messages_reference" ON "sms_messages" USING btree ("reference");--> statement-breakpoint
CREATE INDEX "sms_messages_gateway" ON "sms_messages" USING btree ("provider","gateway_id");--> statement-breakpoint
ALTER TABLE "sms_messages" ADD CONSTRAINT "sms_messages_kind" CHECK ("sms_messages"."kind" in ('code', 'decision', 'alarm', 'test'));--> statement-breakpoint
ALTER TABLE "sms_messages" ADD CONSTRAINT "sms_messages_delivery" CHECK ("sms_messages"."delivery" in ('delivered', 'undelivered'));