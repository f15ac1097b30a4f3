CREATE TABLE "job_runners" (
	"id" text PRIMARY KEY NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alarms" ADD COLUMN "seen_at" timestamp with time zone DEFAULT now() NOT NULL;