-- What changed, in the words of contract/topics.ts, as rows of the transaction that changes it: whoever keeps an answer in
-- memory reads what became visible since it last looked (server/live/change-feed.ts). Nothing is written to the log for them,
-- and a server that crashed has none: it has forgotten its epoch then, so that everybody drops what they keep.
CREATE UNLOGGED TABLE "changes" (
	"xid" xid8 DEFAULT pg_current_xact_id() NOT NULL,
	"topic" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "changes_xid" ON "changes" ("xid");
--> statement-breakpoint
-- One row: which life of the table of changes this is, and before which transaction its rows may be gone.
CREATE UNLOGGED TABLE "change_feed" (
	"only" boolean PRIMARY KEY DEFAULT true CHECK ("only"),
	"epoch" uuid DEFAULT gen_random_uuid() NOT NULL,
	"kept_from" xid8 DEFAULT pg_current_xact_id() NOT NULL
);
--> statement-breakpoint
DROP TRIGGER "services_announce" ON "services";
--> statement-breakpoint
DROP TRIGGER "commission_ranges_announce" ON "commission_ranges";
--> statement-breakpoint
DROP TRIGGER "payment_types_announce" ON "payment_types";
--> statement-breakpoint
DROP TRIGGER "content_pages_announce" ON "content_pages";
--> statement-breakpoint
DROP TRIGGER "background_settings_announce" ON "background_settings";
--> statement-breakpoint
DROP TRIGGER "reject_reasons_announce" ON "reject_reasons";
--> statement-breakpoint
DROP TRIGGER "audit_log_announce" ON "audit_log";
--> statement-breakpoint
DROP TRIGGER "users_announce" ON "users";
--> statement-breakpoint
DROP TRIGGER "users_announce_one" ON "users";
--> statement-breakpoint
DROP TRIGGER "tickets_announce" ON "tickets";
--> statement-breakpoint
DROP TRIGGER "tickets_announce_user" ON "tickets";
--> statement-breakpoint
DROP TRIGGER "notifications_announce_user" ON "notifications";
--> statement-breakpoint
DROP TRIGGER "sessions_announce_end" ON "sessions";
--> statement-breakpoint
DROP TRIGGER "sign_in_attempts_announce" ON "sign_in_attempts";
--> statement-breakpoint
DROP TRIGGER "sign_in_attempts_announce_end" ON "sign_in_attempts";
--> statement-breakpoint
DROP FUNCTION "announce_table"();
--> statement-breakpoint
DROP FUNCTION "announce_rows_of_user"();
--> statement-breakpoint
DROP FUNCTION "announce_user"();
--> statement-breakpoint
DROP FUNCTION "announce_session_end"();
--> statement-breakpoint
-- Every trigger below but one is one of a statement, and sees the rows that it touched as `touched`; of an update `touched` is what
-- they became and `former` what they were. A session that fills in columns which no answer shows says so by guichet.quiet.
CREATE FUNCTION "announce"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) IS DISTINCT FROM 'on' AND EXISTS (SELECT FROM touched) THEN
    INSERT INTO changes (topic) SELECT unnest(TG_ARGV);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The topics of a whole table; a star stands for any one id.
CREATE FUNCTION "announce_truncation"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (topic) SELECT unnest(TG_ARGV);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The first argument is what the rows of a user are called, any other a topic of their table.
CREATE FUNCTION "announce_of_users"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) IS DISTINCT FROM 'on' AND EXISTS (SELECT FROM touched) THEN
    INSERT INTO changes (topic)
    SELECT unnest(TG_ARGV[1:])
    UNION ALL SELECT DISTINCT 'user:' || user_id || ':' || TG_ARGV[0] FROM touched WHERE user_id IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- As above, where a row may have gone from one user to another.
CREATE FUNCTION "announce_update_of_users"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) IS DISTINCT FROM 'on' AND EXISTS (SELECT FROM touched) THEN
    INSERT INTO changes (topic)
    SELECT unnest(TG_ARGV[1:])
    UNION ALL SELECT 'user:' || user_id || ':' || TG_ARGV[0]
    FROM (SELECT user_id FROM touched UNION SELECT user_id FROM former) owners WHERE user_id IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Tickets are filed one by one, and for one row this takes half the time.
CREATE FUNCTION "announce_ticket"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) = 'on' THEN
    RETURN NULL;
  END IF;
  IF NEW.user_id IS NULL THEN
    INSERT INTO changes (topic) VALUES ('tickets');
  ELSE
    INSERT INTO changes (topic) VALUES ('tickets'), ('user:' || NEW.user_id || ':tickets');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "announce_ticket_events"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) IS DISTINCT FROM 'on' AND EXISTS (SELECT FROM touched) THEN
    INSERT INTO changes (topic)
    SELECT 'tickets'
    UNION ALL SELECT DISTINCT 'user:' || user_id || ':tickets' FROM tickets
    WHERE id IN (SELECT ticket_id FROM touched) AND user_id IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "announce_ticket_event_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) IS DISTINCT FROM 'on' AND EXISTS (SELECT FROM touched) THEN
    INSERT INTO changes (topic)
    SELECT 'tickets'
    UNION ALL SELECT DISTINCT 'user:' || user_id || ':tickets' FROM tickets
    WHERE id IN (SELECT ticket_id FROM touched UNION SELECT ticket_id FROM former) AND user_id IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- What others see of somebody is told apart from the rest: lists of tickets and the audit log show that, and no more.
CREATE FUNCTION "announce_user_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) IS DISTINCT FROM 'on' AND EXISTS (SELECT FROM touched) THEN
    INSERT INTO changes (topic)
    SELECT 'users'
    UNION ALL SELECT 'user:' || id FROM touched
    UNION ALL SELECT 'user-names' WHERE EXISTS (
      SELECT id, first_name, last_name, phone, email, is_admin FROM touched
      EXCEPT SELECT id, first_name, last_name, phone, email, is_admin FROM former
    );
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "announce_user_end"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) IS DISTINCT FROM 'on' AND EXISTS (SELECT FROM touched) THEN
    INSERT INTO changes (topic)
    SELECT unnest(ARRAY['users', 'user-names']) UNION ALL SELECT 'user:' || id FROM touched;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "announce_sessions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) IS DISTINCT FROM 'on' THEN
    INSERT INTO changes (topic) SELECT 'session:' || sid FROM touched;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Administrators are told of accounts that somebody guesses at, and of nothing before that.
CREATE FUNCTION "announce_sign_in_attacks"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM touched WHERE source = 'any' AND failures >= 20) THEN
    INSERT INTO changes (topic) VALUES ('sign-in-attacks');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "announce_sign_in_attacks_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (TABLE touched UNION ALL TABLE former) attempts WHERE source = 'any' AND failures >= 20
  ) THEN
    INSERT INTO changes (topic) VALUES ('sign-in-attacks');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "services_announce_insert" AFTER INSERT ON "services"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('services');
--> statement-breakpoint
CREATE TRIGGER "services_announce_update" AFTER UPDATE ON "services"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('services');
--> statement-breakpoint
CREATE TRIGGER "services_announce_delete" AFTER DELETE ON "services"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('services');
--> statement-breakpoint
CREATE TRIGGER "services_announce_truncate" AFTER TRUNCATE ON "services"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('services');
--> statement-breakpoint
CREATE TRIGGER "commission_ranges_announce_insert" AFTER INSERT ON "commission_ranges"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('services');
--> statement-breakpoint
CREATE TRIGGER "commission_ranges_announce_update" AFTER UPDATE ON "commission_ranges"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('services');
--> statement-breakpoint
CREATE TRIGGER "commission_ranges_announce_delete" AFTER DELETE ON "commission_ranges"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('services');
--> statement-breakpoint
CREATE TRIGGER "commission_ranges_announce_truncate" AFTER TRUNCATE ON "commission_ranges"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('services');
--> statement-breakpoint
CREATE TRIGGER "payment_types_announce_insert" AFTER INSERT ON "payment_types"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('payment-types');
--> statement-breakpoint
CREATE TRIGGER "payment_types_announce_update" AFTER UPDATE ON "payment_types"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('payment-types');
--> statement-breakpoint
CREATE TRIGGER "payment_types_announce_delete" AFTER DELETE ON "payment_types"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('payment-types');
--> statement-breakpoint
CREATE TRIGGER "payment_types_announce_truncate" AFTER TRUNCATE ON "payment_types"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('payment-types');
--> statement-breakpoint
CREATE TRIGGER "content_pages_announce_insert" AFTER INSERT ON "content_pages"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('content-pages');
--> statement-breakpoint
CREATE TRIGGER "content_pages_announce_update" AFTER UPDATE ON "content_pages"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('content-pages');
--> statement-breakpoint
CREATE TRIGGER "content_pages_announce_delete" AFTER DELETE ON "content_pages"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('content-pages');
--> statement-breakpoint
CREATE TRIGGER "content_pages_announce_truncate" AFTER TRUNCATE ON "content_pages"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('content-pages');
--> statement-breakpoint
CREATE TRIGGER "background_settings_announce_insert" AFTER INSERT ON "background_settings"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('page-background');
--> statement-breakpoint
CREATE TRIGGER "background_settings_announce_update" AFTER UPDATE ON "background_settings"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('page-background');
--> statement-breakpoint
CREATE TRIGGER "background_settings_announce_delete" AFTER DELETE ON "background_settings"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('page-background');
--> statement-breakpoint
CREATE TRIGGER "background_settings_announce_truncate" AFTER TRUNCATE ON "background_settings"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('page-background');
--> statement-breakpoint
CREATE TRIGGER "reject_reasons_announce_insert" AFTER INSERT ON "reject_reasons"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('settings');
--> statement-breakpoint
CREATE TRIGGER "reject_reasons_announce_update" AFTER UPDATE ON "reject_reasons"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('settings');
--> statement-breakpoint
CREATE TRIGGER "reject_reasons_announce_delete" AFTER DELETE ON "reject_reasons"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('settings');
--> statement-breakpoint
CREATE TRIGGER "reject_reasons_announce_truncate" AFTER TRUNCATE ON "reject_reasons"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('settings');
--> statement-breakpoint
CREATE TRIGGER "audit_log_announce_insert" AFTER INSERT ON "audit_log"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('audit');
--> statement-breakpoint
CREATE TRIGGER "audit_log_announce_update" AFTER UPDATE ON "audit_log"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('audit');
--> statement-breakpoint
CREATE TRIGGER "audit_log_announce_delete" AFTER DELETE ON "audit_log"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('audit');
--> statement-breakpoint
CREATE TRIGGER "audit_log_announce_truncate" AFTER TRUNCATE ON "audit_log"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('audit');
--> statement-breakpoint
CREATE TRIGGER "ticket_paths_announce_insert" AFTER INSERT ON "ticket_paths"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('tickets');
--> statement-breakpoint
CREATE TRIGGER "ticket_paths_announce_update" AFTER UPDATE ON "ticket_paths"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('tickets');
--> statement-breakpoint
CREATE TRIGGER "ticket_paths_announce_delete" AFTER DELETE ON "ticket_paths"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('tickets');
--> statement-breakpoint
CREATE TRIGGER "ticket_paths_announce_truncate" AFTER TRUNCATE ON "ticket_paths"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('tickets');
--> statement-breakpoint
CREATE TRIGGER "tickets_announce_insert" AFTER INSERT ON "tickets"
  FOR EACH ROW EXECUTE FUNCTION announce_ticket();
--> statement-breakpoint
CREATE TRIGGER "tickets_announce_update" AFTER UPDATE ON "tickets"
  REFERENCING OLD TABLE AS former NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_update_of_users('tickets', 'tickets');
--> statement-breakpoint
CREATE TRIGGER "tickets_announce_delete" AFTER DELETE ON "tickets"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_of_users('tickets', 'tickets');
--> statement-breakpoint
CREATE TRIGGER "tickets_announce_truncate" AFTER TRUNCATE ON "tickets"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('user:*:tickets', 'tickets');
--> statement-breakpoint
CREATE TRIGGER "notifications_announce_insert" AFTER INSERT ON "notifications"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_of_users('notifications');
--> statement-breakpoint
CREATE TRIGGER "notifications_announce_update" AFTER UPDATE ON "notifications"
  REFERENCING OLD TABLE AS former NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_update_of_users('notifications');
--> statement-breakpoint
CREATE TRIGGER "notifications_announce_delete" AFTER DELETE ON "notifications"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_of_users('notifications');
--> statement-breakpoint
CREATE TRIGGER "notifications_announce_truncate" AFTER TRUNCATE ON "notifications"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('user:*:notifications');
--> statement-breakpoint
CREATE TRIGGER "ticket_events_announce_insert" AFTER INSERT ON "ticket_events"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_ticket_events();
--> statement-breakpoint
CREATE TRIGGER "ticket_events_announce_update" AFTER UPDATE ON "ticket_events"
  REFERENCING OLD TABLE AS former NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_ticket_event_update();
--> statement-breakpoint
CREATE TRIGGER "ticket_events_announce_delete" AFTER DELETE ON "ticket_events"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_ticket_events();
--> statement-breakpoint
CREATE TRIGGER "ticket_events_announce_truncate" AFTER TRUNCATE ON "ticket_events"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('user:*:tickets', 'tickets');
--> statement-breakpoint
CREATE TRIGGER "users_announce_insert" AFTER INSERT ON "users"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('users');
--> statement-breakpoint
CREATE TRIGGER "users_announce_update" AFTER UPDATE ON "users"
  REFERENCING OLD TABLE AS former NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_user_update();
--> statement-breakpoint
CREATE TRIGGER "users_announce_delete" AFTER DELETE ON "users"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_user_end();
--> statement-breakpoint
CREATE TRIGGER "users_announce_truncate" AFTER TRUNCATE ON "users"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('users', 'user-names', 'user:*');
--> statement-breakpoint
CREATE TRIGGER "sessions_announce_update" AFTER UPDATE ON "sessions"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_sessions();
--> statement-breakpoint
CREATE TRIGGER "sessions_announce_delete" AFTER DELETE ON "sessions"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_sessions();
--> statement-breakpoint
CREATE TRIGGER "sessions_announce_truncate" AFTER TRUNCATE ON "sessions"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('session:*');
--> statement-breakpoint
CREATE TRIGGER "sign_in_attempts_announce_insert" AFTER INSERT ON "sign_in_attempts"
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_sign_in_attacks();
--> statement-breakpoint
CREATE TRIGGER "sign_in_attempts_announce_update" AFTER UPDATE ON "sign_in_attempts"
  REFERENCING OLD TABLE AS former NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_sign_in_attacks_update();
--> statement-breakpoint
CREATE TRIGGER "sign_in_attempts_announce_delete" AFTER DELETE ON "sign_in_attempts"
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_sign_in_attacks();
--> statement-breakpoint
CREATE TRIGGER "sign_in_attempts_announce_truncate" AFTER TRUNCATE ON "sign_in_attempts"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('sign-in-attacks');
