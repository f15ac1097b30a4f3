ALTER TABLE "payment_messages" ADD COLUMN "sim" text;--> statement-breakpoint
ALTER TABLE "payment_sources" ADD COLUMN "trouble" text;--> statement-breakpoint
ALTER TABLE "payment_sources" ADD COLUMN "trouble_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payment_sources" ADD COLUMN "clock_minutes" integer;--> statement-breakpoint
ALTER TABLE "payment_sources" ADD COLUMN "sim" text;--> statement-breakpoint
ALTER TABLE "payment_sources" ADD COLUMN "is_sim_chosen" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_sources" ADD CONSTRAINT "payment_sources_trouble" CHECK ("payment_sources"."trouble" in ('signature', 'clock', 'text', 'sender'));