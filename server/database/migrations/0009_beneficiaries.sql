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
ALTER TABLE "beneficiaries" ADD CONSTRAINT "beneficiaries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;