-- What is written down of each change by triggers: topics (contract/topics.ts) for whoever keeps answers, and counts for the tallies.
-- A session that fills in columns which no answer shows turns the topics off: guichet.quiet.

-- A database made before 1.0 has these already, some of them in two halves.
DROP FUNCTION IF EXISTS announce(), announce_truncation(), announce_of_users(), announce_update_of_users(), announce_ticket(),
  announce_ticket_events(), announce_ticket_event_update(), announce_user_update(), announce_user_end(), announce_sessions(),
  announce_sign_in_attacks(), announce_sign_in_attacks_update(), tally_tickets_insert(), tally_tickets_update(),
  tally_tickets_delete(), tally_users_insert(), tally_users_delete() CASCADE;

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
CALL announce_changes('sms_days', 'sms');
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

-- Sign-ins: administrators are told of accounts that somebody guesses at, and of nothing before that. An account counts its
-- strangers in two rows, 'new' and 'any'. Each counts here as it was or as it is, whichever is more.

CREATE FUNCTION announce_sign_in_attacks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (
      SELECT account, max(failures) AS failures FROM (
        TABLE touched
        UNION ALL
        SELECT * FROM sign_in_attempts WHERE account IN (SELECT account FROM touched WHERE source IN ('new', 'any'))
      ) rows
      WHERE source IN ('new', 'any') GROUP BY account, source
    ) guesses
    GROUP BY account HAVING sum(failures) >= 20
  ) THEN
    INSERT INTO changes (topic) VALUES ('sign-in-attacks');
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER sign_in_attempts_announce_insert AFTER INSERT ON sign_in_attempts
  REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_sign_in_attacks();
CREATE TRIGGER sign_in_attempts_announce_update AFTER UPDATE ON sign_in_attempts
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_sign_in_attacks();
CREATE TRIGGER sign_in_attempts_announce_delete AFTER DELETE ON sign_in_attempts
  REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_sign_in_attacks();
CREATE TRIGGER sign_in_attempts_announce_truncate AFTER TRUNCATE ON sign_in_attempts
  FOR EACH STATEMENT EXECUTE FUNCTION announce_truncation('sign-in-attacks');

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

-- Tallies (server/features/tallies/tables.ts): a row for each count that a statement changes.

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
