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
CREATE TABLE "otp_codes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "otp_codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"flow_id" uuid NOT NULL,
	"phone" text NOT NULL,
	"code" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"is_used" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "otp_codes_attempts" CHECK ("otp_codes"."attempts" between 0 and 3)
);
--> statement-breakpoint
CREATE TABLE "otp_flows" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"phone" text NOT NULL,
	"purpose" text NOT NULL,
	"pending" jsonb,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "otp_flows_purpose" CHECK ("otp_flows"."purpose" in ('signup', 'reset')),
	CONSTRAINT "otp_flows_pending" CHECK (("otp_flows"."purpose" = 'signup') = ("otp_flows"."pending" is not null))
);
--> statement-breakpoint
CREATE TABLE "payment_types" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_types_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"picture_url" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_types_name" CHECK (length(trim("payment_types"."name")) > 0)
);
--> statement-breakpoint
CREATE TABLE "reset_tokens" (
	"token" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
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
CREATE TABLE "sessions" (
	"sid" text PRIMARY KEY NOT NULL,
	"sess" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"user_id" integer NOT NULL,
	"expire" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
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
CREATE TABLE "tickets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tickets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer,
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
	"reject_reason" text,
	"idempotency_key" text,
	"fingerprint" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tickets_status_known" CHECK ("tickets"."status" in ('pending', 'approved', 'rejected')),
	CONSTRAINT "tickets_money" CHECK ("tickets"."amount" >= 0 and "tickets"."commission" >= 0),
	CONSTRAINT "tickets_total" CHECK ("tickets"."total_price" = ("tickets"."amount" + "tickets"."commission")::text),
	CONSTRAINT "tickets_beneficiaries" CHECK ("tickets"."number_of_beneficiaries" >= 1),
	CONSTRAINT "tickets_path" CHECK (jsonb_typeof("tickets"."service_path") = 'array' and jsonb_array_length("tickets"."service_path") between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"phone" text NOT NULL,
	"email" text,
	"password" text,
	"is_guest" boolean DEFAULT false NOT NULL,
	"is_verified" boolean DEFAULT false NOT NULL,
	"is_admin" boolean DEFAULT false NOT NULL,
	"country_code" text DEFAULT '+226' NOT NULL,
	"deactivated_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_phone_unique" UNIQUE("phone"),
	CONSTRAINT "users_phone_form" CHECK ("users"."phone" ~ '^(\+(226|225|223|227|229|228|221)[0-9]{8,10}|guest:[0-9a-f-]{36})$'),
	CONSTRAINT "users_guest_phone" CHECK ("users"."is_guest" = starts_with("users"."phone", 'guest:')),
	CONSTRAINT "users_guest_rights" CHECK (not ("users"."is_guest" and ("users"."is_admin" or "users"."is_verified"))),
	CONSTRAINT "users_password" CHECK ("users"."is_guest" or "users"."password" is not null),
	CONSTRAINT "users_country" CHECK ("users"."country_code" in ('+226', '+225', '+223', '+227', '+229', '+228', '+221')),
	CONSTRAINT "users_deactivated" CHECK ("users"."deactivated_at" is null or not ("users"."is_verified" or "users"."is_admin"))
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"actor_id" integer,
	"action" text NOT NULL,
	"target" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"status" integer NOT NULL,
	"ip" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "once_flags" (
	"name" text PRIMARY KEY NOT NULL,
	"done_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "sms_messages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"recipient" text NOT NULL,
	"body" text,
	"status" text DEFAULT 'queued' NOT NULL,
	"provider" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"drop_after" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sms_messages_status" CHECK ("sms_messages"."status" in ('queued', 'sent', 'failed', 'expired')),
	CONSTRAINT "sms_messages_wiped" CHECK ("sms_messages"."status" = 'queued' or "sms_messages"."body" is null)
);
--> statement-breakpoint
ALTER TABLE "commission_ranges" ADD CONSTRAINT "commission_ranges_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "public"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_related_ticket_id_tickets_id_fk" FOREIGN KEY ("related_ticket_id") REFERENCES "public"."tickets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "otp_codes" ADD CONSTRAINT "otp_codes_flow_id_otp_flows_id_fk" FOREIGN KEY ("flow_id") REFERENCES "public"."otp_flows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reset_tokens" ADD CONSTRAINT "reset_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "services" ADD CONSTRAINT "services_parent" FOREIGN KEY ("parent_id","parent_level") REFERENCES "public"."services"("id","level") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_events" ADD CONSTRAINT "ticket_events_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_events" ADD CONSTRAINT "ticket_events_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "public"."services"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_payment_type_id_payment_types_id_fk" FOREIGN KEY ("payment_type_id") REFERENCES "public"."payment_types"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "background_settings_one_active" ON "background_settings" USING btree ("is_active") WHERE "background_settings"."is_active";--> statement-breakpoint
CREATE INDEX "commission_ranges_service" ON "commission_ranges" USING btree ("service_id");--> statement-breakpoint
CREATE INDEX "notifications_user" ON "notifications" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" USING btree ("user_id") WHERE not "notifications"."is_read";--> statement-breakpoint
CREATE INDEX "notifications_ticket" ON "notifications" USING btree ("related_ticket_id");--> statement-breakpoint
CREATE UNIQUE INDEX "otp_codes_one_live" ON "otp_codes" USING btree ("flow_id") WHERE not "otp_codes"."is_used";--> statement-breakpoint
CREATE INDEX "otp_codes_phone" ON "otp_codes" USING btree ("phone","created_at");--> statement-breakpoint
CREATE INDEX "otp_flows_phone" ON "otp_flows" USING btree ("phone","purpose");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_types_name_once" ON "payment_types" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "reset_tokens_user" ON "reset_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "services_parent_order" ON "services" USING btree ("parent_id","sort_order","id");--> statement-breakpoint
CREATE INDEX "sessions_expire" ON "sessions" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "ticket_events_ticket" ON "ticket_events" USING btree ("ticket_id","id");--> statement-breakpoint
CREATE INDEX "ticket_events_actor" ON "ticket_events" USING btree ("actor_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_key_once" ON "tickets" USING btree ("user_id","idempotency_key") WHERE "tickets"."idempotency_key" is not null;--> statement-breakpoint
CREATE INDEX "tickets_user" ON "tickets" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "tickets_status" ON "tickets" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "tickets_created" ON "tickets" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "tickets_service" ON "tickets" USING btree ("service_id");--> statement-breakpoint
CREATE INDEX "tickets_payment_type" ON "tickets" USING btree ("payment_type_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_once" ON "users" USING btree (lower("email")) WHERE "users"."email" is not null and "users"."is_verified";--> statement-breakpoint
CREATE INDEX "users_guests" ON "users" USING btree ("id") WHERE "users"."is_guest";--> statement-breakpoint
CREATE INDEX "audit_log_created" ON "audit_log" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sms_messages_created" ON "sms_messages" USING btree ("created_at");