-- What drizzle-kit cannot write: an exclusion constraint, an append-only table, and the topics that each change touches.

-- The ranges of one service never share an amount. Range types index without an extension, so the service id is the high
-- half of the bounds (an amount fits in 32 bits).
ALTER TABLE "commission_ranges" ADD CONSTRAINT "commission_ranges_no_overlap" EXCLUDE USING gist (
  int8range(
    service_id::bigint * 4294967296 + min_price,
    service_id::bigint * 4294967296 + coalesce(max_price, 2147483647),
    '[]'
  ) WITH &&
);
--> statement-breakpoint
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
--> statement-breakpoint
CREATE TRIGGER "audit_log_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- Topics: whoever keeps an answer in memory LISTENs on 'guichet_changes' and drops what depends on the topic named.
-- PostgreSQL delivers a topic once per transaction, at commit.
CREATE FUNCTION "announce_table"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('guichet_changes', TG_ARGV[0]);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "announce_rows_of_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.user_id IS NOT NULL THEN
    PERFORM pg_notify('guichet_changes', 'user:' || OLD.user_id || ':' || TG_ARGV[0]);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.user_id IS NOT NULL THEN
    PERFORM pg_notify('guichet_changes', 'user:' || NEW.user_id || ':' || TG_ARGV[0]);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "announce_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('guichet_changes', 'user:' || OLD.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "announce_session_end"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('guichet_changes', 'session:' || OLD.sid);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "services_announce" AFTER INSERT OR UPDATE OR DELETE ON "services"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_table('services');
--> statement-breakpoint
CREATE TRIGGER "commission_ranges_announce" AFTER INSERT OR UPDATE OR DELETE ON "commission_ranges"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_table('services');
--> statement-breakpoint
CREATE TRIGGER "payment_types_announce" AFTER INSERT OR UPDATE OR DELETE ON "payment_types"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_table('payment-types');
--> statement-breakpoint
CREATE TRIGGER "content_pages_announce" AFTER INSERT OR UPDATE OR DELETE ON "content_pages"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_table('content-pages');
--> statement-breakpoint
CREATE TRIGGER "background_settings_announce" AFTER INSERT OR UPDATE OR DELETE ON "background_settings"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_table('background');
--> statement-breakpoint
CREATE TRIGGER "users_announce" AFTER INSERT OR UPDATE OR DELETE ON "users"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_table('users');
--> statement-breakpoint
CREATE TRIGGER "users_announce_one" AFTER UPDATE OR DELETE ON "users"
  FOR EACH ROW EXECUTE FUNCTION announce_user();
--> statement-breakpoint
CREATE TRIGGER "tickets_announce" AFTER INSERT OR UPDATE OR DELETE ON "tickets"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_table('tickets');
--> statement-breakpoint
CREATE TRIGGER "tickets_announce_user" AFTER INSERT OR UPDATE OR DELETE ON "tickets"
  FOR EACH ROW EXECUTE FUNCTION announce_rows_of_user('tickets');
--> statement-breakpoint
CREATE TRIGGER "notifications_announce_user" AFTER INSERT OR UPDATE OR DELETE ON "notifications"
  FOR EACH ROW EXECUTE FUNCTION announce_rows_of_user('notifications');
--> statement-breakpoint
CREATE TRIGGER "sessions_announce_end" AFTER DELETE ON "sessions"
  FOR EACH ROW EXECUTE FUNCTION announce_session_end();
