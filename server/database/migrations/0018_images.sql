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
DROP TABLE "image_owner" CASCADE;
