-- A flow's claim is the account that a sign-up asks for; "pending" is a ticket's status only.
ALTER TABLE "otp_flows" RENAME COLUMN "pending" TO "claim";
--> statement-breakpoint
ALTER TABLE "otp_flows" RENAME CONSTRAINT "otp_flows_pending" TO "otp_flows_claim";
--> statement-breakpoint
-- Held here and no longer by the notifications' table: the tickets' table belongs to a later slice.
ALTER TABLE "notifications" RENAME CONSTRAINT "notifications_related_ticket_id_tickets_id_fk" TO "notifications_related_ticket";
--> statement-breakpoint
-- The topic is the page's background; work in the background is a job.
DROP TRIGGER "background_settings_announce" ON "background_settings";
--> statement-breakpoint
CREATE TRIGGER "background_settings_announce" AFTER INSERT OR UPDATE OR DELETE ON "background_settings"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_table('page-background');
