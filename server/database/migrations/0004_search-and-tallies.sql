-- What keeps lists, searches and counts quick at a million rows. Rows that are there already get theirs from the online
-- steps (server/database/online-steps.ts), in batches, since nothing here may hold a lock for long.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- Text as a search compares it: without case and accents, ligatures and apostrophes as they are typed.
CREATE FUNCTION "fold_text"(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT replace(replace(replace(
    regexp_replace(normalize(lower(value), NFD), '[\u0300-\u036f]', '', 'g'), 'œ', 'oe'), 'æ', 'ae'), '’', '''')
$$;
--> statement-breakpoint
CREATE FUNCTION "fold_path"(path jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(fold_text(step ->> 'name'), E'\n' ORDER BY place), '')
  FROM jsonb_array_elements(CASE WHEN jsonb_typeof(path) = 'array' THEN path ELSE '[]' END) WITH ORDINALITY AS s(step, place)
$$;
--> statement-breakpoint
CREATE FUNCTION "set_ticket_path"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  names text := fold_path(NEW.service_path);
BEGIN
  SELECT id INTO NEW.path_id FROM ticket_paths WHERE folded = names;
  IF NOT FOUND THEN
    INSERT INTO ticket_paths (folded) VALUES (names) ON CONFLICT (folded) DO NOTHING;
    SELECT id INTO NEW.path_id FROM ticket_paths WHERE folded = names;
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "tickets_set_path" BEFORE INSERT OR UPDATE OF "service_path" ON "tickets"
  FOR EACH ROW EXECUTE FUNCTION set_ticket_path();
--> statement-breakpoint
CREATE FUNCTION "user_search_text"(first_name text, last_name text, email text, phone text, is_guest boolean)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT fold_text(first_name || ' ' || last_name || E'\n' || coalesce(email, '') || E'\n' ||
    CASE WHEN is_guest THEN '' ELSE phone END)
$$;
--> statement-breakpoint
CREATE FUNCTION "set_user_search_text"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := user_search_text(NEW.first_name, NEW.last_name, NEW.email, NEW.phone, NEW.is_guest);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "users_set_search_text" BEFORE INSERT OR UPDATE OF "first_name", "last_name", "email", "phone", "is_guest" ON "users"
  FOR EACH ROW EXECUTE FUNCTION set_user_search_text();
--> statement-breakpoint
CREATE FUNCTION "tally_tickets_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_changes (what, hour, count, francs)
  WITH changed AS (
    SELECT 1 AS sign, status, created_at, service_id, amount + commission AS francs FROM new_rows
  )
  SELECT 'tickets:' || status, date_trunc('hour', created_at, 'UTC'), sum(sign), sum(sign * francs) FROM changed
  GROUP BY 1, 2 HAVING sum(sign) <> 0 OR sum(sign * francs) <> 0
  UNION ALL
  SELECT 'service:' || service_id, date_trunc('day', created_at, 'UTC'), sum(sign), sum(sign * francs) FROM changed
  WHERE service_id IS NOT NULL GROUP BY 1, 2 HAVING sum(sign) <> 0 OR sum(sign * francs) <> 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "tally_tickets_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_changes (what, hour, count, francs)
  WITH changed AS (
    SELECT -1 AS sign, status, created_at, service_id, amount + commission AS francs FROM old_rows
  )
  SELECT 'tickets:' || status, date_trunc('hour', created_at, 'UTC'), sum(sign), sum(sign * francs) FROM changed
  GROUP BY 1, 2 HAVING sum(sign) <> 0 OR sum(sign * francs) <> 0
  UNION ALL
  SELECT 'service:' || service_id, date_trunc('day', created_at, 'UTC'), sum(sign), sum(sign * francs) FROM changed
  WHERE service_id IS NOT NULL GROUP BY 1, 2 HAVING sum(sign) <> 0 OR sum(sign * francs) <> 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "tally_tickets_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_changes (what, hour, count, francs)
  WITH changed AS (
    SELECT 1 AS sign, status, created_at, service_id, amount + commission AS francs FROM new_rows
    UNION ALL
    SELECT -1, status, created_at, service_id, amount + commission AS francs FROM old_rows
  )
  SELECT 'tickets:' || status, date_trunc('hour', created_at, 'UTC'), sum(sign), sum(sign * francs) FROM changed
  GROUP BY 1, 2 HAVING sum(sign) <> 0 OR sum(sign * francs) <> 0
  UNION ALL
  SELECT 'service:' || service_id, date_trunc('day', created_at, 'UTC'), sum(sign), sum(sign * francs) FROM changed
  WHERE service_id IS NOT NULL GROUP BY 1, 2 HAVING sum(sign) <> 0 OR sum(sign * francs) <> 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "tickets_tally_insert" AFTER INSERT ON "tickets" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_tickets_insert();
--> statement-breakpoint
CREATE TRIGGER "tickets_tally_update" AFTER UPDATE ON "tickets" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_tickets_update();
--> statement-breakpoint
CREATE TRIGGER "tickets_tally_delete" AFTER DELETE ON "tickets" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_tickets_delete();
--> statement-breakpoint
CREATE FUNCTION "tally_users_insert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_changes (what, hour, count, francs)
  SELECT 'users', date_trunc('hour', created_at, 'UTC'), count(*), 0 FROM new_rows GROUP BY 2;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION "tally_users_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_changes (what, hour, count, francs)
  SELECT 'users', date_trunc('hour', created_at, 'UTC'), -count(*), 0 FROM old_rows GROUP BY 2;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "users_tally_insert" AFTER INSERT ON "users" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_users_insert();
--> statement-breakpoint
CREATE TRIGGER "users_tally_delete" AFTER DELETE ON "users" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_users_delete();
--> statement-breakpoint
-- A session that fills in columns which no answer shows, or makes up a million rows, has no topic to announce.
CREATE OR REPLACE FUNCTION "announce_table"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) IS DISTINCT FROM 'on' THEN
    PERFORM pg_notify('guichet_changes', TG_ARGV[0]);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "announce_rows_of_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) = 'on' THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' AND OLD.user_id IS NOT NULL THEN
    PERFORM pg_notify('guichet_changes', 'user:' || OLD.user_id || ':' || TG_ARGV[0]);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.user_id IS NOT NULL THEN
    PERFORM pg_notify('guichet_changes', 'user:' || NEW.user_id || ':' || TG_ARGV[0]);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "announce_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) IS DISTINCT FROM 'on' THEN
    PERFORM pg_notify('guichet_changes', 'user:' || OLD.id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "reject_reasons_announce" AFTER INSERT OR UPDATE OR DELETE ON "reject_reasons"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_table('settings');
--> statement-breakpoint
CREATE TRIGGER "audit_log_announce" AFTER INSERT OR UPDATE OR DELETE ON "audit_log"
  FOR EACH STATEMENT EXECUTE FUNCTION announce_table('audit');
--> statement-breakpoint
-- The audit log only grows; what is older than an operator keeps goes through this function, which says so in the log.
CREATE OR REPLACE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('guichet.trimming_audit_log', true) = 'on' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
--> statement-breakpoint
CREATE FUNCTION "trim_audit_log"(before timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  gone integer;
BEGIN
  PERFORM set_config('guichet.trimming_audit_log', 'on', true);
  DELETE FROM audit_log WHERE created_at < before;
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('guichet.trimming_audit_log', 'off', true);
  INSERT INTO audit_log (action, details, status, ip)
  VALUES ('trim_audit_log', jsonb_build_object('before', before, 'rows', gone), 200, 'local');
  RETURN gone;
END $$;
--> statement-breakpoint
INSERT INTO "reject_reasons" ("position", "text") VALUES
  (1, 'Paiement introuvable.'),
  (2, 'Numéro du bénéficiaire incorrect.'),
  (3, 'Montant différent du total à payer.');
