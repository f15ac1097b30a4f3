ALTER TABLE "audit_log" DROP CONSTRAINT "audit_log_count";--> statement-breakpoint
CREATE INDEX "audit_log_target" ON "audit_log" USING btree ("target","id");--> statement-breakpoint
ALTER TABLE "audit_log" DROP COLUMN "status";--> statement-breakpoint
ALTER TABLE "audit_log" DROP COLUMN "code";--> statement-breakpoint
ALTER TABLE "audit_log" DROP COLUMN "count";