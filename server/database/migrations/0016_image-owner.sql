CREATE TABLE "image_owner" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"name" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "image_owner_one" CHECK ("image_owner"."id")
);
