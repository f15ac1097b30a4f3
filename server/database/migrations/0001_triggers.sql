-- What rows are given and refused, and what is written down of each change, by functions and triggers.

-- What searches compare.

-- A text as searches compare it, as `fold` of contract/fold.ts: without case, accents and what nobody sees, with one kind of
-- space, dash, apostrophe and quotation mark.
CREATE FUNCTION fold_text(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(replace(replace(replace(lower(regexp_replace(translate(translate(translate(
    normalize(translate(value, U&'\00B4\2033', '''"'), NFKD),
    U&'\2010\2011\2012\2013\2014\2015\2043\2212', repeat('-', 8)),
    U&'`\02B9\02BB\02BC\02BD\02C8\2018\2019\201A\201B\2032\2035\A78B\A78C', repeat('''', 14)),
    U&'\00AB\00BB\201C\201D\201E\201F\2039\203A\275D\275E\301D\301E\301F', repeat('"', 13)),
    '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]',
    '', 'g')), 'ς', 'σ'), 'œ', 'oe'), 'æ', 'ae'),
    '[ \t-\r\u0085\u1680\u2028\u2029\u2800]+', ' ', 'g'))
$$;

CREATE FUNCTION user_search_text(first_name text, last_name text, email text, phone text, is_guest boolean)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT fold_text(first_name || ' ' || last_name) || E'\n' || fold_text(coalesce(email, '')) || E'\n' ||
    CASE WHEN is_guest THEN '' ELSE phone END
$$;

CREATE FUNCTION set_user_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_text := user_search_text(NEW.first_name, NEW.last_name, NEW.email, NEW.phone, NEW.is_guest);
  RETURN NEW;
END $$;

CREATE TRIGGER users_set_search_text BEFORE INSERT OR UPDATE OF first_name, last_name, email, phone, is_guest ON users
  FOR EACH ROW EXECUTE FUNCTION set_user_search_text();

CREATE FUNCTION fold_path(path jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg(fold_text(step ->> 'name'), E'\n' ORDER BY place), '')
  FROM jsonb_array_elements(CASE WHEN jsonb_typeof(path) = 'array' THEN path ELSE '[]' END) WITH ORDINALITY AS s(step, place)
$$;

CREATE FUNCTION set_ticket_path() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER tickets_set_path BEFORE INSERT OR UPDATE OF service_path ON tickets
  FOR EACH ROW EXECUTE FUNCTION set_ticket_path();

-- The audit log only grows; rows older than what an operator keeps go by trim_audit_log.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('guichet.trimming_audit_log', true) = 'on' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;

CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION trim_audit_log(before timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  gone integer;
BEGIN
  PERFORM set_config('guichet.trimming_audit_log', 'on', true);
  DELETE FROM audit_log WHERE created_at < before;
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('guichet.trimming_audit_log', 'off', true);
  RETURN gone;
END $$;

-- Keeps payment_lines.is_matched, by which the index of the open lines leaves out those of a match that is not undone.
CREATE FUNCTION mark_matched_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payment_lines l SET is_matched = EXISTS (SELECT FROM payment_matches m WHERE m.line_id = l.id AND m.undone_at IS NULL)
  WHERE l.id IN (OLD.line_id, NEW.line_id);
  RETURN NULL;
END $$;

CREATE TRIGGER payment_matches_mark AFTER INSERT OR DELETE OR UPDATE OF line_id, undone_at ON payment_matches
  FOR EACH ROW EXECUTE FUNCTION mark_matched_line();

-- Tickets and accounts outlive people and payment types. A closing asks which they were, so that no signed day changes.
CREATE FUNCTION keep_former_country() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tickets SET former_country = OLD.country_code, user_id = NULL WHERE user_id = OLD.id;
  RETURN OLD;
END $$;

CREATE TRIGGER users_keep_former BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION keep_former_country();

CREATE FUNCTION keep_former_payment_type() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tickets SET former_payment_type_id = OLD.id, payment_type_id = NULL WHERE payment_type_id = OLD.id;
  UPDATE payment_accounts SET former_payment_type_id = OLD.id, payment_type_id = NULL WHERE payment_type_id = OLD.id;
  RETURN OLD;
END $$;

CREATE TRIGGER payment_types_keep_former BEFORE DELETE ON payment_types FOR EACH ROW EXECUTE FUNCTION keep_former_payment_type();

-- What is written down of each change: topics (contract/topics.ts) for caches of answers, and counts for the tallies.
-- A session that fills in columns which no answer shows turns the topics off: guichet.quiet.

-- Every trigger below but one is one of a statement. It sees the rows of the statement as `touched`; an update sees what they
-- became as `touched`, and what they were as `former`.

CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) IS DISTINCT FROM 'on' AND EXISTS (SELECT FROM touched) THEN
    INSERT INTO changes (topic) SELECT unnest(TG_ARGV);
  END IF;
  RETURN NULL;
END $$;

-- The topics of a whole table; a star stands for any one id.
CREATE FUNCTION announce_truncation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO changes (topic) SELECT unnest(TG_ARGV);
  RETURN NULL;
END $$;

-- Announces each change of a table as one topic.
CREATE PROCEDURE announce_changes(changed text, topic text) LANGUAGE plpgsql AS $$
DECLARE
  kind record;
BEGIN
  FOR kind IN VALUES ('insert', 'REFERENCING NEW TABLE AS touched', 'announce'),
    ('update', 'REFERENCING NEW TABLE AS touched', 'announce'),
    ('delete', 'REFERENCING OLD TABLE AS touched', 'announce'),
    ('truncate', '', 'announce_truncation')
  LOOP
    EXECUTE format('CREATE TRIGGER %1$s_announce_%2$s AFTER %2$s ON %1$s %3$s FOR EACH STATEMENT EXECUTE FUNCTION %4$s(%5$L)',
      changed, kind.column1, kind.column2, kind.column3, topic);
  END LOOP;
END $$;

CALL announce_changes('alarms', 'alarms');
CALL announce_changes('backups', 'backups');
CALL announce_changes('sms_messages', 'sms');
CALL announce_changes('sms_gateways', 'sms');
CALL announce_changes('sms_settings', 'settings');
CALL announce_changes('audit_log', 'audit');
CALL announce_changes('payment_types', 'payment-types');
CALL announce_changes('content_pages', 'content-pages');
CALL announce_changes('background_settings', 'page-background');
CALL announce_changes('reject_reasons', 'settings');
CALL announce_changes('services', 'services');
CALL announce_changes('commission_ranges', 'services');
CALL announce_changes('ticket_paths', 'tickets');
CALL announce_changes('dial_templates', 'payment-types');
CALL announce_changes('merchant_numbers', 'payment-types');
CALL announce_changes('code_reports', 'payment-types');
CALL announce_changes('contact_settings', 'contact');
CALL announce_changes('payment_accounts', 'payments');
CALL announce_changes('payment_sources', 'payments');
CALL announce_changes('payment_messages', 'payments');
CALL announce_changes('payment_shapes', 'payments');
CALL announce_changes('payment_imports', 'payments');
CALL announce_changes('payment_lines', 'payments');
CALL announce_changes('payment_matches', 'payments');
CALL announce_changes('payment_closings', 'payments');

-- Users. What others see of them has a topic of its own: lists of tickets and the audit log show that, and no more.

CREATE FUNCTION announce_user_update() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE FUNCTION announce_user_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) IS DISTINCT FROM 'on' AND EXISTS (SELECT FROM touched) THEN
    INSERT INTO changes (topic)
    SELECT unnest(ARRAY['users', 'user-names']) UNION ALL SELECT 'user:' || id FROM touched;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER users_announce_insert AFTER INSERT ON users
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce('users');
CREATE TRIGGER users_announce_update AFTER UPDATE ON users
  REFERENCING OLD TABLE AS former NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_user_update();
CREATE TRIGGER users_announce_delete AFTER DELETE ON users
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_user_end();
CREATE TRIGGER users_announce_truncate AFTER TRUNCATE ON users
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('users', 'user-names', 'user:*');

-- Sessions: nobody keeps anything of one before it is there.

CREATE FUNCTION announce_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) IS DISTINCT FROM 'on' THEN
    INSERT INTO changes (topic) SELECT 'session:' || sid FROM touched;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER sessions_announce_update AFTER UPDATE ON sessions
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_sessions();
CREATE TRIGGER sessions_announce_delete AFTER DELETE ON sessions
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_sessions();
CREATE TRIGGER sessions_announce_truncate AFTER TRUNCATE ON sessions
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('session:*');

-- Rows of users. The first argument is what the rows of a user are called, any other a topic of their table. An update may give a
-- row to another user.

CREATE FUNCTION announce_of_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) = 'on' OR NOT EXISTS (SELECT FROM touched) THEN
    RETURN NULL;
  END IF;
  INSERT INTO changes (topic)
  SELECT unnest(TG_ARGV[1:])
  UNION ALL SELECT DISTINCT 'user:' || user_id || ':' || TG_ARGV[0] FROM touched WHERE user_id IS NOT NULL;
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO changes (topic)
    SELECT 'user:' || user_id || ':' || TG_ARGV[0]
    FROM (SELECT user_id FROM former EXCEPT SELECT user_id FROM touched) left_behind WHERE user_id IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER notifications_announce_insert AFTER INSERT ON notifications
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_of_users('notifications');
CREATE TRIGGER notifications_announce_update AFTER UPDATE ON notifications
  REFERENCING OLD TABLE AS former NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_of_users('notifications');
CREATE TRIGGER notifications_announce_delete AFTER DELETE ON notifications
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_of_users('notifications');
CREATE TRIGGER notifications_announce_truncate AFTER TRUNCATE ON notifications
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('user:*:notifications');

CREATE TRIGGER beneficiaries_announce_insert AFTER INSERT ON beneficiaries
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_of_users('beneficiaries');
CREATE TRIGGER beneficiaries_announce_update AFTER UPDATE ON beneficiaries
  REFERENCING OLD TABLE AS former NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_of_users('beneficiaries');
CREATE TRIGGER beneficiaries_announce_delete AFTER DELETE ON beneficiaries
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_of_users('beneficiaries');
CREATE TRIGGER beneficiaries_announce_truncate AFTER TRUNCATE ON beneficiaries
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('user:*:beneficiaries');

-- Tickets. They are filed one by one, and for one row this takes half the time.

CREATE FUNCTION announce_ticket() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER tickets_announce_insert AFTER INSERT ON tickets
  FOR EACH ROW EXECUTE FUNCTION announce_ticket();
CREATE TRIGGER tickets_announce_update AFTER UPDATE ON tickets
  REFERENCING OLD TABLE AS former NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_of_users('tickets', 'tickets');
CREATE TRIGGER tickets_announce_delete AFTER DELETE ON tickets
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_of_users('tickets', 'tickets');
CREATE TRIGGER tickets_announce_truncate AFTER TRUNCATE ON tickets
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('user:*:tickets', 'tickets');

CREATE FUNCTION announce_ticket_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('guichet.quiet', true) = 'on' OR NOT EXISTS (SELECT FROM touched) THEN
    RETURN NULL;
  END IF;
  INSERT INTO changes (topic)
  SELECT 'tickets'
  UNION ALL SELECT DISTINCT 'user:' || user_id || ':tickets' FROM tickets
  WHERE id IN (SELECT ticket_id FROM touched) AND user_id IS NOT NULL;
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO changes (topic)
    SELECT DISTINCT 'user:' || user_id || ':tickets' FROM tickets
    WHERE id IN (SELECT ticket_id FROM former EXCEPT SELECT ticket_id FROM touched) AND user_id IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER ticket_events_announce_insert AFTER INSERT ON ticket_events
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_ticket_events();
CREATE TRIGGER ticket_events_announce_update AFTER UPDATE ON ticket_events
  REFERENCING OLD TABLE AS former NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_ticket_events();
CREATE TRIGGER ticket_events_announce_delete AFTER DELETE ON ticket_events
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_ticket_events();
CREATE TRIGGER ticket_events_announce_truncate AFTER TRUNCATE ON ticket_events
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('user:*:tickets', 'tickets');

-- Tallies: a row for each count that a statement changes.

CREATE FUNCTION tally_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_changes (what, hour, count, francs)
  SELECT 'users', date_trunc('hour', created_at, 'UTC'), CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END, 0
  FROM touched GROUP BY 2;
  RETURN NULL;
END $$;

CREATE TRIGGER users_tally_insert AFTER INSERT ON users REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION tally_users();
CREATE TRIGGER users_tally_delete AFTER DELETE ON users REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION tally_users();

-- Three functions of one text: each names the rows that its kind of statement has.
DO $do$
DECLARE
  kind record;
BEGIN
  FOR kind IN VALUES
    ('insert', 'NEW TABLE AS new_rows', 'SELECT 1 AS sign, * FROM new_rows'),
    ('delete', 'OLD TABLE AS old_rows', 'SELECT -1 AS sign, * FROM old_rows'),
    ('update', 'OLD TABLE AS old_rows NEW TABLE AS new_rows', 'SELECT 1 AS sign, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows')
  LOOP
    EXECUTE format($sql$
      CREATE FUNCTION tally_tickets_%1$s() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO tally_changes (what, hour, count, francs)
        WITH changed AS (
          SELECT sign, status, created_at, service_id, amount + commission AS francs FROM (%3$s) rows
        )
        SELECT 'tickets:' || status, date_trunc('hour', created_at, 'UTC'), sum(sign), sum(sign * francs) FROM changed
        GROUP BY 1, 2 HAVING sum(sign) <> 0 OR sum(sign * francs) <> 0
        UNION ALL
        SELECT 'service:' || service_id, date_trunc('day', created_at, 'UTC'), sum(sign), sum(sign * francs) FROM changed
        WHERE service_id IS NOT NULL GROUP BY 1, 2 HAVING sum(sign) <> 0 OR sum(sign * francs) <> 0;
        RETURN NULL;
      END $$;
      CREATE TRIGGER tickets_tally_%1$s AFTER %1$s ON tickets REFERENCING %2$s
        FOR EACH STATEMENT EXECUTE FUNCTION tally_tickets_%1$s()
    $sql$, kind.column1, kind.column2, kind.column3);
  END LOOP;
END $do$;
