CREATE TRIGGER beneficiaries_announce_insert AFTER INSERT ON beneficiaries
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_of_users('beneficiaries');
--> statement-breakpoint
CREATE TRIGGER beneficiaries_announce_update AFTER UPDATE ON beneficiaries
  REFERENCING OLD TABLE AS former NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_of_users('beneficiaries');
--> statement-breakpoint
CREATE TRIGGER beneficiaries_announce_delete AFTER DELETE ON beneficiaries
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_of_users('beneficiaries');
--> statement-breakpoint
CREATE TRIGGER beneficiaries_announce_truncate AFTER TRUNCATE ON beneficiaries
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('user:*:beneficiaries');
