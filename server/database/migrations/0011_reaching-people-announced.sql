CREATE TRIGGER "sms_messages_announce_insert" AFTER INSERT ON "sms_messages"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('sms');
--> statement-breakpoint
CREATE TRIGGER "sms_messages_announce_update" AFTER UPDATE ON "sms_messages"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('sms');
--> statement-breakpoint
CREATE TRIGGER "sms_messages_announce_delete" AFTER DELETE ON "sms_messages"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('sms');
--> statement-breakpoint
CREATE TRIGGER "sms_messages_announce_truncate" AFTER TRUNCATE ON "sms_messages"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('sms');
--> statement-breakpoint
CREATE TRIGGER "sms_days_announce_insert" AFTER INSERT ON "sms_days"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('sms');
--> statement-breakpoint
CREATE TRIGGER "sms_days_announce_update" AFTER UPDATE ON "sms_days"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('sms');
--> statement-breakpoint
CREATE TRIGGER "sms_days_announce_delete" AFTER DELETE ON "sms_days"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('sms');
--> statement-breakpoint
CREATE TRIGGER "sms_days_announce_truncate" AFTER TRUNCATE ON "sms_days"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('sms');
--> statement-breakpoint
CREATE TRIGGER "sms_gateways_announce_insert" AFTER INSERT ON "sms_gateways"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('sms');
--> statement-breakpoint
CREATE TRIGGER "sms_gateways_announce_update" AFTER UPDATE ON "sms_gateways"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('sms');
--> statement-breakpoint
CREATE TRIGGER "sms_gateways_announce_delete" AFTER DELETE ON "sms_gateways"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('sms');
--> statement-breakpoint
CREATE TRIGGER "sms_gateways_announce_truncate" AFTER TRUNCATE ON "sms_gateways"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('sms');
--> statement-breakpoint
CREATE TRIGGER "sms_settings_announce_insert" AFTER INSERT ON "sms_settings"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('settings');
--> statement-breakpoint
CREATE TRIGGER "sms_settings_announce_update" AFTER UPDATE ON "sms_settings"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('settings');
--> statement-breakpoint
CREATE TRIGGER "sms_settings_announce_delete" AFTER DELETE ON "sms_settings"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('settings');
--> statement-breakpoint
CREATE TRIGGER "sms_settings_announce_truncate" AFTER TRUNCATE ON "sms_settings"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('settings');
--> statement-breakpoint
CREATE TRIGGER "alarms_announce_insert" AFTER INSERT ON "alarms"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('alarms');
--> statement-breakpoint
CREATE TRIGGER "alarms_announce_update" AFTER UPDATE ON "alarms"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('alarms');
--> statement-breakpoint
CREATE TRIGGER "alarms_announce_delete" AFTER DELETE ON "alarms"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('alarms');
--> statement-breakpoint
CREATE TRIGGER "alarms_announce_truncate" AFTER TRUNCATE ON "alarms"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('alarms');
--> statement-breakpoint
CREATE TRIGGER "backups_announce_insert" AFTER INSERT ON "backups"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('backups');
--> statement-breakpoint
CREATE TRIGGER "backups_announce_update" AFTER UPDATE ON "backups"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('backups');
--> statement-breakpoint
CREATE TRIGGER "backups_announce_delete" AFTER DELETE ON "backups"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('backups');
--> statement-breakpoint
CREATE TRIGGER "backups_announce_truncate" AFTER TRUNCATE ON "backups"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('backups');
