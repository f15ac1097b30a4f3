-- The tables of version 1.0 as drizzle-kit writes them, after the extension that an index of users is of, and before what it cannot
-- write: the change feed, an exclusion constraint, a foreign key to a later slice, and the first rows.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE TABLE "job_runners" (
	"id" text PRIMARY KEY NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "once_flags" (
	"name" text PRIMARY KEY NOT NULL,
	"done_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "product_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "alarms" (
	"key" text PRIMARY KEY NOT NULL,
	"level" text NOT NULL,
	"message" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"told_at" timestamp with time zone,
	CONSTRAINT "alarms_level" CHECK ("alarms"."level" in ('warning', 'critical'))
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"actor_id" integer,
	"action" text NOT NULL,
	"target" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"ip" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "otp_codes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "otp_codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"flow_id" uuid NOT NULL,
	"phone" text NOT NULL,
	"code" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"stranger_attempts" integer DEFAULT 0 NOT NULL,
	"is_second" boolean DEFAULT false NOT NULL,
	"is_used" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "otp_codes_attempts" CHECK ("otp_codes"."attempts" between 0 and 3),
	CONSTRAINT "otp_codes_stranger_attempts" CHECK ("otp_codes"."stranger_attempts" between 0 and 3)
);
--> statement-breakpoint
CREATE TABLE "otp_flows" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"phone" text NOT NULL,
	"purpose" text NOT NULL,
	"claim" jsonb,
	"key_hash" text,
	"is_known" boolean DEFAULT false NOT NULL,
	"proven_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "otp_flows_purpose" CHECK ("otp_flows"."purpose" in ('signup', 'reset')),
	CONSTRAINT "otp_flows_claim" CHECK (("otp_flows"."purpose" = 'signup') = ("otp_flows"."claim" is not null) or ("otp_flows"."purpose" = 'signup' and "otp_flows"."closed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "reset_tokens" (
	"token" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone NOT NULL,
	"file" text NOT NULL,
	"bytes" bigint,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "beneficiaries" (
	"user_id" integer NOT NULL,
	"phone" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "beneficiaries_user_id_phone_pk" PRIMARY KEY("user_id","phone"),
	CONSTRAINT "beneficiaries_phone" CHECK ("beneficiaries"."phone" ~ '^\+[0-9]{8,15}$'),
	CONSTRAINT "beneficiaries_name" CHECK (length("beneficiaries"."name") between 1 and 40)
);
--> statement-breakpoint
CREATE TABLE "commission_ranges" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "commission_ranges_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"service_id" integer NOT NULL,
	"min_price" integer NOT NULL,
	"max_price" integer,
	"commission_value" text NOT NULL,
	"commission_type" text DEFAULT 'fixed' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "commission_ranges_bounds" CHECK ("commission_ranges"."min_price" >= 0 and ("commission_ranges"."max_price" is null or "commission_ranges"."max_price" >= "commission_ranges"."min_price")),
	CONSTRAINT "commission_ranges_value" CHECK ("commission_ranges"."commission_value" ~ '^[0-9]{1,9}(\.[0-9]{1,2})?$'),
	CONSTRAINT "commission_ranges_percentage" CHECK ("commission_ranges"."commission_type" <> 'percentage' or "commission_ranges"."commission_value"::numeric <= 100),
	CONSTRAINT "commission_ranges_type" CHECK ("commission_ranges"."commission_type" in ('fixed', 'percentage'))
);
--> statement-breakpoint
CREATE TABLE "services" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "services_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"price" text,
	"picture_url" text,
	"level" integer DEFAULT 1 NOT NULL,
	"parent_id" integer,
	"parent_level" integer GENERATED ALWAYS AS (level - 1) STORED,
	"is_final_level" boolean DEFAULT false NOT NULL,
	"is_visible" boolean DEFAULT true NOT NULL,
	"allow_user_price_input" boolean DEFAULT false NOT NULL,
	"commission_type" text DEFAULT 'fixed' NOT NULL,
	"commission_value" numeric(12, 2) DEFAULT 0 NOT NULL,
	"text_size" text DEFAULT 'medium' NOT NULL,
	"text_color" text DEFAULT '#1E293B' NOT NULL,
	"text_style" text DEFAULT 'normal' NOT NULL,
	"phone_number" text,
	"sort_order" integer DEFAULT 0 NOT NULL,
	"demand" integer,
	"operator_note" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "services_id_level" UNIQUE("id","level"),
	CONSTRAINT "services_name" CHECK (length(trim("services"."name")) > 0),
	CONSTRAINT "services_level" CHECK ("services"."level" between 1 and 5),
	CONSTRAINT "services_root" CHECK (("services"."parent_id" is null) = ("services"."level" = 1)),
	CONSTRAINT "services_commission_type" CHECK ("services"."commission_type" in ('fixed', 'percentage', 'range')),
	CONSTRAINT "services_commission_value" CHECK ("services"."commission_value" >= 0),
	CONSTRAINT "services_percentage" CHECK ("services"."commission_type" <> 'percentage' or "services"."commission_value" <= 100),
	CONSTRAINT "services_text_size" CHECK ("services"."text_size" in ('small', 'medium', 'large')),
	CONSTRAINT "services_text_color" CHECK ("services"."text_color" ~ '^#[0-9A-Fa-f]{6}$'),
	CONSTRAINT "services_text_style" CHECK ("services"."text_style" in ('normal', 'bold', 'italic', 'bold italic'))
);
--> statement-breakpoint
CREATE TABLE "content_pages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "content_pages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "content_pages_slug_unique" UNIQUE("slug"),
	CONSTRAINT "content_pages_slug" CHECK ("content_pages"."slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$')
);
--> statement-breakpoint
CREATE TABLE "code_reports" (
	"ticket_id" integer PRIMARY KEY NOT NULL,
	"dial_template_id" integer,
	"service_id" integer,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "code_reports_reason" CHECK ("code_reports"."reason" in ('no-answer', 'invalid-code', 'amount-refused', 'other'))
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notifications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"title" text NOT NULL,
	"message" text NOT NULL,
	"is_read" boolean DEFAULT false NOT NULL,
	"type" text DEFAULT 'info' NOT NULL,
	"related_ticket_id" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notifications_type" CHECK ("notifications"."type" in ('success', 'error', 'warning', 'info'))
);
--> statement-breakpoint
CREATE TABLE "background_settings" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "background_settings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"background_image" text,
	"opacity" integer DEFAULT 30 NOT NULL,
	"blur" integer DEFAULT 5 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "background_settings_opacity" CHECK ("background_settings"."opacity" between 0 and 100),
	CONSTRAINT "background_settings_blur" CHECK ("background_settings"."blur" between 0 and 20)
);
--> statement-breakpoint
CREATE TABLE "payment_accounts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"payment_type_id" integer,
	"former_payment_type_id" integer,
	"country" text NOT NULL,
	"number" text NOT NULL,
	"label" text NOT NULL,
	"allowed_senders" text[] DEFAULT '{}' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
	"plain_reference" text GENERATED ALWAYS AS (nullif(upper(regexp_replace(reference collate "C", '[^A-Za-z0-9]', '', 'g')), '')) STORED,
	"our_reference" integer,
	"payer" text,
	"paid_at" timestamp with time zone NOT NULL,
	"seen_in" integer NOT NULL,
	"is_trusted" boolean DEFAULT false NOT NULL,
	"is_ignored" boolean DEFAULT false NOT NULL,
	"is_matched" boolean DEFAULT false NOT NULL,
	"taken_back" integer,
	"anomaly" text,
	"shape_id" integer,
	"import_id" integer,
	"before_import" jsonb,
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
	"sim" text,
	"sent_at" timestamp with time zone,
	"state" text NOT NULL,
	"why" text,
	"parser" text,
	"sealed_text" text,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_messages_state" CHECK ("payment_messages"."state" in ('parsed', 'ignored', 'unread', 'refused'))
);
--> statement-breakpoint
CREATE TABLE "payment_shapes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_shapes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"payment_type_id" integer,
	"country" text NOT NULL,
	"template" text NOT NULL,
	"created_by" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "payment_sources" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_sources_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"kind" text NOT NULL,
	"secret_hash" text NOT NULL,
	"signing_secret" text,
	"last_seen_at" timestamp with time zone,
	"trouble" text,
	"trouble_at" timestamp with time zone,
	"clock_minutes" integer,
	"sim" text,
	"is_sim_chosen" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_sources_trouble" CHECK ("payment_sources"."trouble" in ('signature', 'clock', 'text', 'sender'))
);
--> statement-breakpoint
CREATE TABLE "payment_previous_addresses" (
	"secret_hash" text PRIMARY KEY NOT NULL,
	"source_id" integer NOT NULL,
	"signing_secret" text,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dial_templates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dial_templates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"payment_type_id" integer NOT NULL,
	"country" text NOT NULL,
	"template" text NOT NULL,
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
CREATE TABLE "merchant_numbers" (
	"payment_type_id" integer NOT NULL,
	"country" text NOT NULL,
	"number" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "merchant_numbers_payment_type_id_country_pk" PRIMARY KEY("payment_type_id","country"),
	CONSTRAINT "merchant_numbers_country" CHECK (array["merchant_numbers"."country"] <@ array['+226', '+225', '+223', '+227', '+229', '+228', '+221']),
	CONSTRAINT "merchant_numbers_number" CHECK ("merchant_numbers"."number" ~ '^[0-9]{4,12}$' and "merchant_numbers"."number" <> '00000000')
);
--> statement-breakpoint
CREATE TABLE "payment_types" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_types_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"picture_url" text,
	"icon" text,
	"operator" text,
	"countries" text[] DEFAULT '{}' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_types_name" CHECK (length(trim("payment_types"."name")) > 0),
	CONSTRAINT "payment_types_countries" CHECK ("payment_types"."countries" <@ array['+226', '+225', '+223', '+227', '+229', '+228', '+221'])
);
--> statement-breakpoint
CREATE TABLE "payment_closings" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_closings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"day" date NOT NULL,
	"figures" jsonb NOT NULL,
	"digest" text NOT NULL,
	"reasons" jsonb DEFAULT '{"gaps":[]}'::jsonb NOT NULL,
	"signed_by" integer,
	"signed_at" timestamp with time zone DEFAULT now() NOT NULL
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
CREATE TABLE "sessions" (
	"sid" text PRIMARY KEY NOT NULL,
	"sess" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"user_id" integer NOT NULL,
	"expire" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_settings" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"whatsapp" text,
	"phone" text,
	"email" text,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_settings_one" CHECK ("contact_settings"."id"),
	CONSTRAINT "contact_settings_whatsapp" CHECK ("contact_settings"."whatsapp" ~ '^[+][1-9][0-9]{7,14}$'),
	CONSTRAINT "contact_settings_phone" CHECK ("contact_settings"."phone" ~ '^[+][1-9][0-9]{7,14}$'),
	CONSTRAINT "contact_settings_email" CHECK (length("contact_settings"."email") between 3 and 254)
);
--> statement-breakpoint
CREATE TABLE "reject_reasons" (
	"position" integer PRIMARY KEY NOT NULL,
	"text" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reject_reasons_text" CHECK (length(trim("reject_reasons"."text")) between 1 and 300)
);
--> statement-breakpoint
CREATE TABLE "sms_gateways" (
	"name" text PRIMARY KEY NOT NULL,
	"position" integer NOT NULL,
	"dial_codes" text NOT NULL,
	"last_sent_at" timestamp with time zone,
	"last_failed_at" timestamp with time zone,
	"failure" text,
	"failures_in_a_row" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sms_messages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"recipient" text NOT NULL,
	"body" text,
	"kind" text DEFAULT 'code' NOT NULL,
	"flow_id" uuid,
	"is_trusted" boolean DEFAULT false NOT NULL,
	"source_address" text,
	"source_network" text,
	"status" text DEFAULT 'queued' NOT NULL,
	"converted_at" timestamp with time zone,
	"drop_after" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sms_messages_kind" CHECK ("sms_messages"."kind" in ('code', 'decision', 'alarm', 'test')),
	CONSTRAINT "sms_messages_status" CHECK ("sms_messages"."status" in ('queued', 'sent', 'failed', 'expired')),
	CONSTRAINT "sms_messages_wiped" CHECK ("sms_messages"."status" = 'queued' or "sms_messages"."body" is null)
);
--> statement-breakpoint
CREATE TABLE "sms_settings" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"per_country_and_day" integer DEFAULT 500 NOT NULL,
	"on_decision" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sms_settings_one" CHECK ("sms_settings"."id"),
	CONSTRAINT "sms_settings_caps" CHECK ("sms_settings"."per_country_and_day" between 0 and 1000000)
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
CREATE TABLE "ticket_events" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ticket_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"ticket_id" integer NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"actor_id" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ticket_events_status" CHECK ("ticket_events"."status" in ('pending', 'approved', 'rejected'))
);
--> statement-breakpoint
CREATE TABLE "ticket_paths" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ticket_paths_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"folded" text NOT NULL,
	CONSTRAINT "ticket_paths_folded_unique" UNIQUE("folded")
);
--> statement-breakpoint
CREATE TABLE "tickets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tickets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer,
	"former_country" text,
	"former_payment_type_id" integer,
	"service_id" integer,
	"status" text DEFAULT 'pending' NOT NULL,
	"number_of_beneficiaries" integer DEFAULT 1 NOT NULL,
	"payment_type_id" integer,
	"payment_type_name" text NOT NULL,
	"amount" integer NOT NULL,
	"commission" integer NOT NULL,
	"total_price" text NOT NULL,
	"service_path" jsonb NOT NULL,
	"beneficiary_phone_number" text NOT NULL,
	"dial_code" text,
	"dial_operator" text,
	"dial_template_id" integer,
	"code_reported_at" timestamp with time zone,
	"reject_reason" text,
	"payment_reference" text,
	"plain_reference" text GENERATED ALWAYS AS (nullif(upper(regexp_replace(payment_reference collate "C", '[^A-Za-z0-9]', '', 'g')), '')) STORED,
	"earlier_references" text[] DEFAULT '{}' NOT NULL,
	"payment_declared_at" timestamp with time zone,
	"payer_phone" text,
	"payer_reminded_at" timestamp with time zone,
	"idempotency_key" text,
	"fingerprint" text NOT NULL,
	"path_id" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tickets_status_known" CHECK ("tickets"."status" in ('pending', 'approved', 'rejected')),
	CONSTRAINT "tickets_money" CHECK ("tickets"."amount" >= 0 and "tickets"."commission" >= 0),
	CONSTRAINT "tickets_total" CHECK ("tickets"."total_price" = ("tickets"."amount" + "tickets"."commission")::text),
	CONSTRAINT "tickets_beneficiaries" CHECK ("tickets"."number_of_beneficiaries" >= 1),
	CONSTRAINT "tickets_payment_reference_form" CHECK ("tickets"."payment_reference" is null or ("tickets"."payment_reference" ~ '^[A-Z0-9._/-]{1,40}$' and "tickets"."payment_declared_at" is not null)),
	CONSTRAINT "tickets_path" CHECK (jsonb_typeof("tickets"."service_path") = 'array' and jsonb_array_length("tickets"."service_path") between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "images" (
	"url" text PRIMARY KEY NOT NULL,
	"webp" "bytea" NOT NULL,
	"webp160" "bytea",
	"webp320" "bytea",
	"webp640" "bytea",
	"kept_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "images_url_form" CHECK ("images"."url" ~ '^/uploads/[a-f0-9]{32}\.webp$'),
	CONSTRAINT "images_webp_not_empty" CHECK (octet_length("images"."webp") > 0)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"phone" text NOT NULL,
	"email" text,
	"email_since" timestamp with time zone DEFAULT now() NOT NULL,
	"password" text,
	"is_guest" boolean DEFAULT false NOT NULL,
	"is_verified" boolean DEFAULT false NOT NULL,
	"is_admin" boolean DEFAULT false NOT NULL,
	"country_code" text DEFAULT '+226' NOT NULL,
	"deactivated_at" timestamp with time zone,
	"search_text" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_phone_unique" UNIQUE("phone"),
	CONSTRAINT "users_phone_form" CHECK ("users"."phone" ~ '^(\+(226|225|223|227|229|228|221)[0-9]{8,10}|guest:[0-9a-f-]{36})$'),
	CONSTRAINT "users_guest_phone" CHECK ("users"."is_guest" = starts_with("users"."phone", 'guest:')),
	CONSTRAINT "users_guest_rights" CHECK (not ("users"."is_guest" and ("users"."is_admin" or "users"."is_verified"))),
	CONSTRAINT "users_password" CHECK (not "users"."is_admin" or "users"."password" is not null),
	CONSTRAINT "users_country" CHECK ("users"."country_code" in ('+226', '+225', '+223', '+227', '+229', '+228', '+221')),
	CONSTRAINT "users_deactivated" CHECK ("users"."deactivated_at" is null or not ("users"."is_verified" or "users"."is_admin"))
);
--> statement-breakpoint
ALTER TABLE "otp_codes" ADD CONSTRAINT "otp_codes_flow_id_otp_flows_id_fk" FOREIGN KEY ("flow_id") REFERENCES "public"."otp_flows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reset_tokens" ADD CONSTRAINT "reset_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "beneficiaries" ADD CONSTRAINT "beneficiaries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_ranges" ADD CONSTRAINT "commission_ranges_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "public"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "services" ADD CONSTRAINT "services_parent" FOREIGN KEY ("parent_id","parent_level") REFERENCES "public"."services"("id","level") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "code_reports" ADD CONSTRAINT "code_reports_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "code_reports" ADD CONSTRAINT "code_reports_dial_template_id_dial_templates_id_fk" FOREIGN KEY ("dial_template_id") REFERENCES "public"."dial_templates"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "code_reports" ADD CONSTRAINT "code_reports_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "public"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_accounts" ADD CONSTRAINT "payment_accounts_payment_type_id_payment_types_id_fk" FOREIGN KEY ("payment_type_id") REFERENCES "public"."payment_types"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_imports" ADD CONSTRAINT "payment_imports_account_id_payment_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."payment_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_imports" ADD CONSTRAINT "payment_imports_imported_by_users_id_fk" FOREIGN KEY ("imported_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_lines" ADD CONSTRAINT "payment_lines_account_id_payment_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."payment_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_lines" ADD CONSTRAINT "payment_lines_shape_id_payment_shapes_id_fk" FOREIGN KEY ("shape_id") REFERENCES "public"."payment_shapes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_matches" ADD CONSTRAINT "payment_matches_line_id_payment_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."payment_lines"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_matches" ADD CONSTRAINT "payment_matches_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_matches" ADD CONSTRAINT "payment_matches_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_matches" ADD CONSTRAINT "payment_matches_undone_by_users_id_fk" FOREIGN KEY ("undone_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_messages" ADD CONSTRAINT "payment_messages_account_id_payment_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."payment_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_messages" ADD CONSTRAINT "payment_messages_source_id_payment_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."payment_sources"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_shapes" ADD CONSTRAINT "payment_shapes_payment_type_id_payment_types_id_fk" FOREIGN KEY ("payment_type_id") REFERENCES "public"."payment_types"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_shapes" ADD CONSTRAINT "payment_shapes_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_sources" ADD CONSTRAINT "payment_sources_account_id_payment_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."payment_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_previous_addresses" ADD CONSTRAINT "payment_previous_addresses_source_id_payment_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."payment_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dial_templates" ADD CONSTRAINT "dial_templates_payment_type_id_payment_types_id_fk" FOREIGN KEY ("payment_type_id") REFERENCES "public"."payment_types"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_numbers" ADD CONSTRAINT "merchant_numbers_payment_type_id_payment_types_id_fk" FOREIGN KEY ("payment_type_id") REFERENCES "public"."payment_types"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_closings" ADD CONSTRAINT "payment_closings_account_id_payment_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."payment_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_closings" ADD CONSTRAINT "payment_closings_signed_by_users_id_fk" FOREIGN KEY ("signed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_events" ADD CONSTRAINT "ticket_events_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_events" ADD CONSTRAINT "ticket_events_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "public"."services"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_payment_type_id_payment_types_id_fk" FOREIGN KEY ("payment_type_id") REFERENCES "public"."payment_types"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_created" ON "audit_log" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_target" ON "audit_log" USING btree ("target","id");--> statement-breakpoint
CREATE INDEX "otp_codes_flow" ON "otp_codes" USING btree ("flow_id");--> statement-breakpoint
CREATE UNIQUE INDEX "otp_codes_one_live" ON "otp_codes" USING btree ("flow_id") WHERE not "otp_codes"."is_used";--> statement-breakpoint
CREATE INDEX "otp_codes_phone" ON "otp_codes" USING btree ("phone","created_at");--> statement-breakpoint
CREATE INDEX "otp_codes_created" ON "otp_codes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "otp_flows_phone" ON "otp_flows" USING btree ("phone","purpose");--> statement-breakpoint
CREATE INDEX "reset_tokens_user" ON "reset_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "backups_started" ON "backups" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "commission_ranges_service" ON "commission_ranges" USING btree ("service_id");--> statement-breakpoint
CREATE INDEX "services_parent_order" ON "services" USING btree ("parent_id","sort_order","id");--> statement-breakpoint
CREATE INDEX "code_reports_template" ON "code_reports" USING btree ("dial_template_id","created_at");--> statement-breakpoint
CREATE INDEX "code_reports_service" ON "code_reports" USING btree ("service_id","created_at");--> statement-breakpoint
CREATE INDEX "notifications_user" ON "notifications" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" USING btree ("user_id") WHERE not "notifications"."is_read";--> statement-breakpoint
CREATE INDEX "notifications_ticket" ON "notifications" USING btree ("related_ticket_id");--> statement-breakpoint
CREATE UNIQUE INDEX "background_settings_one_active" ON "background_settings" USING btree ("is_active") WHERE "background_settings"."is_active";--> statement-breakpoint
CREATE UNIQUE INDEX "payment_accounts_once" ON "payment_accounts" USING btree ("payment_type_id","country","number");--> statement-breakpoint
CREATE INDEX "payment_imports_account" ON "payment_imports" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "payment_imports_by" ON "payment_imports" USING btree ("imported_by");--> statement-breakpoint
CREATE INDEX "payment_lines_shape" ON "payment_lines" USING btree ("shape_id","id") WHERE "payment_lines"."shape_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_lines_once" ON "payment_lines" USING btree ("account_id","line_key");--> statement-breakpoint
CREATE INDEX "payment_lines_paid" ON "payment_lines" USING btree ("paid_at","id");--> statement-breakpoint
CREATE INDEX "payment_lines_account" ON "payment_lines" USING btree ("account_id","paid_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_lines_nameless_once" ON "payment_lines" USING btree ("account_id","nameless_key") WHERE "payment_lines"."nameless_key" is not null;--> statement-breakpoint
CREATE INDEX "payment_lines_nameless" ON "payment_lines" USING btree ("account_id","paid_at") WHERE "payment_lines"."plain_reference" is null;--> statement-breakpoint
CREATE INDEX "payment_lines_balance" ON "payment_lines" USING btree ("account_id","balance_after") WHERE "payment_lines"."balance_after" is not null;--> statement-breakpoint
CREATE INDEX "payment_lines_reference" ON "payment_lines" USING btree ("plain_reference") WHERE "payment_lines"."plain_reference" is not null;--> statement-breakpoint
CREATE INDEX "payment_lines_our_reference" ON "payment_lines" USING btree ("our_reference") WHERE "payment_lines"."our_reference" is not null;--> statement-breakpoint
CREATE INDEX "payment_lines_payer" ON "payment_lines" USING btree ("payer","gross","paid_at") WHERE "payment_lines"."payer" is not null;--> statement-breakpoint
CREATE INDEX "payment_lines_gross" ON "payment_lines" USING btree ("gross","paid_at");--> statement-breakpoint
CREATE INDEX "payment_lines_reversal" ON "payment_lines" USING btree ("account_id","plain_reference") WHERE "payment_lines"."direction" = 'reversal';--> statement-breakpoint
CREATE INDEX "payment_lines_import" ON "payment_lines" USING btree ("import_id") WHERE "payment_lines"."import_id" is not null;--> statement-breakpoint
CREATE INDEX "payment_lines_open" ON "payment_lines" USING btree ("paid_at","id") WHERE "payment_lines"."direction" = 'in' and "payment_lines"."state" in ('announced', 'settled') and not "payment_lines"."is_ignored" and not "payment_lines"."is_matched";--> statement-breakpoint
CREATE UNIQUE INDEX "payment_matches_line" ON "payment_matches" USING btree ("line_id") WHERE "payment_matches"."undone_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_matches_ticket" ON "payment_matches" USING btree ("ticket_id") WHERE "payment_matches"."undone_at" is null;--> statement-breakpoint
CREATE INDEX "payment_matches_of_line" ON "payment_matches" USING btree ("line_id");--> statement-breakpoint
CREATE INDEX "payment_matches_decided_by" ON "payment_matches" USING btree ("decided_by");--> statement-breakpoint
CREATE INDEX "payment_matches_undone_by" ON "payment_matches" USING btree ("undone_by");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_messages_once" ON "payment_messages" USING btree ("account_id","content_hash");--> statement-breakpoint
CREATE INDEX "payment_messages_received" ON "payment_messages" USING btree ("received_at","id");--> statement-breakpoint
CREATE INDEX "payment_messages_source" ON "payment_messages" USING btree ("source_id","received_at");--> statement-breakpoint
CREATE INDEX "payment_messages_unread" ON "payment_messages" USING btree ("id") WHERE "payment_messages"."state" in ('unread', 'refused');--> statement-breakpoint
CREATE UNIQUE INDEX "payment_shapes_once" ON "payment_shapes" USING btree ("payment_type_id","country","template") WHERE "payment_shapes"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "payment_shapes_created_by" ON "payment_shapes" USING btree ("created_by");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_sources_secret" ON "payment_sources" USING btree ("secret_hash");--> statement-breakpoint
CREATE INDEX "payment_sources_account" ON "payment_sources" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "payment_previous_addresses_source" ON "payment_previous_addresses" USING btree ("source_id");--> statement-breakpoint
CREATE UNIQUE INDEX "dial_templates_once" ON "dial_templates" USING btree ("payment_type_id","country");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_types_name_once" ON "payment_types" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "payment_closings_day" ON "payment_closings" USING btree ("account_id","day","id");--> statement-breakpoint
CREATE INDEX "payment_closings_signed_by" ON "payment_closings" USING btree ("signed_by");--> statement-breakpoint
CREATE INDEX "push_subscriptions_user" ON "push_subscriptions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expire" ON "sessions" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sms_messages_created" ON "sms_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sms_messages_flow" ON "sms_messages" USING btree ("flow_id");--> statement-breakpoint
CREATE INDEX "sms_messages_source" ON "sms_messages" USING btree ("source_network","created_at");--> statement-breakpoint
CREATE INDEX "sms_messages_queued" ON "sms_messages" USING btree ("id") WHERE "sms_messages"."status" = 'queued';--> statement-breakpoint
CREATE INDEX "tallies_hour" ON "tallies" USING btree ("hour","what","count");--> statement-breakpoint
CREATE INDEX "ticket_events_ticket" ON "ticket_events" USING btree ("ticket_id","id");--> statement-breakpoint
CREATE INDEX "ticket_events_actor" ON "ticket_events" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "ticket_events_approved" ON "ticket_events" USING btree ("created_at") WHERE "ticket_events"."status" = 'approved';--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_key_once" ON "tickets" USING btree ("user_id","idempotency_key") WHERE "tickets"."idempotency_key" is not null;--> statement-breakpoint
CREATE INDEX "tickets_user" ON "tickets" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "tickets_filed" ON "tickets" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "tickets_status_filed" ON "tickets" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "tickets_path_filed" ON "tickets" USING btree ("path_id","created_at","id");--> statement-breakpoint
CREATE INDEX "tickets_status_path_filed" ON "tickets" USING btree ("status","path_id","created_at","id");--> statement-breakpoint
CREATE INDEX "tickets_plain_reference" ON "tickets" USING btree ("plain_reference") WHERE "tickets"."plain_reference" is not null;--> statement-breakpoint
CREATE INDEX "tickets_total_filed" ON "tickets" USING btree ("total_price","created_at","id");--> statement-breakpoint
CREATE INDEX "tickets_pending_total" ON "tickets" USING btree ("total_price","created_at") WHERE "tickets"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "tickets_payer" ON "tickets" USING btree ("payer_phone","total_price","status","created_at") WHERE "tickets"."payer_phone" is not null;--> statement-breakpoint
CREATE INDEX "tickets_user_total" ON "tickets" USING btree ("user_id","total_price","status","created_at");--> statement-breakpoint
CREATE INDEX "tickets_pending_declared" ON "tickets" USING btree ("payment_declared_at") WHERE "tickets"."status" = 'pending' and "tickets"."payment_declared_at" is not null;--> statement-breakpoint
CREATE INDEX "tickets_beneficiary_ending" ON "tickets" USING btree (reverse("beneficiary_phone_number") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "tickets_service" ON "tickets" USING btree ("service_id");--> statement-breakpoint
CREATE INDEX "tickets_payment_type" ON "tickets" USING btree ("payment_type_id");--> statement-breakpoint
CREATE INDEX "users_email" ON "users" USING btree (lower("email")) WHERE "users"."email" is not null and "users"."is_verified";--> statement-breakpoint
CREATE INDEX "users_never_verified" ON "users" USING btree ("updated_at") WHERE not ("users"."is_verified" or "users"."is_guest" or "users"."is_admin") and "users"."deactivated_at" is null;--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_guests" ON "users" USING btree ("id") WHERE "users"."is_guest";
--> statement-breakpoint
-- What changed, in the words of contract/topics.ts, as rows of the transaction that changes it. A cache reads what became visible
-- since its last look (server/cache/change-feed.ts). Nothing of it is logged: after a crash its epoch is another one.
CREATE UNLOGGED TABLE changes (
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  topic text NOT NULL
);
--> statement-breakpoint
CREATE INDEX changes_xid ON changes (xid);
--> statement-breakpoint
-- One row: which life of the table of changes this is, and before which transaction its rows may be gone.
CREATE UNLOGGED TABLE change_feed (
  "only" boolean DEFAULT true PRIMARY KEY CHECK ("only"),
  epoch uuid NOT NULL DEFAULT gen_random_uuid(),
  kept_from xid8 NOT NULL DEFAULT pg_current_xact_id()
);
--> statement-breakpoint
-- Ranges of one service never share an amount. Range types index without an extension, so the service's id is the high half of the
-- bounds: an amount fits in 32 bits.
ALTER TABLE commission_ranges ADD CONSTRAINT commission_ranges_no_overlap EXCLUDE USING gist (
  int8range(
    service_id::bigint * 4294967296 + min_price,
    service_id::bigint * 4294967296 + coalesce(max_price, 2147483647),
    '[]'
  ) WITH &&
);
--> statement-breakpoint
ALTER TABLE notifications ADD CONSTRAINT notifications_related_ticket
  FOREIGN KEY (related_ticket_id) REFERENCES tickets (id) ON DELETE SET NULL;
--> statement-breakpoint
INSERT INTO reject_reasons (position, text) VALUES
  (1, 'Paiement introuvable.'),
  (2, 'Numéro du bénéficiaire incorrect.'),
  (3, 'Montant différent du total à payer.');
