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
