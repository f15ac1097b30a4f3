-- What earlier versions did in steps after their migrations: nothing is left to do where those ran.
UPDATE users SET search_text = user_search_text(first_name, last_name, email, phone, is_guest)
WHERE NOT EXISTS (SELECT FROM online_steps WHERE name = 'what a search of users looks in, in one spelling')
  AND search_text IS DISTINCT FROM user_search_text(first_name, last_name, email, phone, is_guest);
--> statement-breakpoint
-- Of a backup that has none. Where there are any, or changes that are not folded yet, they are complete.
INSERT INTO tallies (what, hour, count, francs)
WITH each AS (
  SELECT 'tickets:' || status AS what, date_trunc('hour', created_at, 'UTC') AS hour, count(*) AS count, sum(amount + commission) AS francs
  FROM tickets GROUP BY 1, 2
  UNION ALL
  SELECT 'service:' || service_id, date_trunc('day', created_at, 'UTC'), count(*), sum(amount + commission)
  FROM tickets WHERE service_id IS NOT NULL GROUP BY 1, 2
  UNION ALL
  SELECT 'users', date_trunc('hour', created_at, 'UTC'), count(*), 0 FROM users GROUP BY 2
)
SELECT what, hour, count, francs FROM (
  SELECT * FROM each
  UNION ALL
  SELECT 'all ' || what, 'epoch', sum(count), sum(francs) FROM each WHERE NOT starts_with(what, 'service:') GROUP BY what
) counted
WHERE NOT EXISTS (SELECT FROM tallies) AND NOT EXISTS (SELECT FROM tally_changes);
--> statement-breakpoint
DO $$
DECLARE
  wanted record;
BEGIN
  -- One of before 0011 reads a reference otherwise.
  IF position('./-_' IN coalesce(pg_get_indexdef(to_regclass('tickets_plain_reference')), '')) = 0 THEN
    DROP INDEX IF EXISTS tickets_plain_reference;
  END IF;
  FOR wanted IN SELECT * FROM (VALUES
    ('tickets_total_filed', '(total_price, created_at, id)'),
    ('tickets_beneficiary_ending', '(reverse(beneficiary_phone_number) text_pattern_ops)'),
    ('tickets_plain_reference', '(translate(payment_reference, ''./-_'', '''')) WHERE payment_reference IS NOT NULL'),
    ('tickets_pending_total', '(total_price, created_at) WHERE status = ''pending'''),
    ('tickets_pending_declared', '(payment_declared_at) WHERE status = ''pending'' AND payment_declared_at IS NOT NULL'),
    ('tickets_payer', '(payer_phone, total_price, status, created_at) WHERE payer_phone IS NOT NULL'),
    ('tickets_user_total', '(user_id, total_price, status, created_at)')
  ) AS indexes (name, definition)
  LOOP
    -- One that was broken off while it was built is there, and is not valid.
    IF NOT EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass(wanted.name) AND indisvalid) THEN
      EXECUTE format('DROP INDEX IF EXISTS %I', wanted.name);
      EXECUTE format('CREATE INDEX %I ON tickets %s', wanted.name, wanted.definition);
    END IF;
  END LOOP;
  IF EXISTS (SELECT FROM pg_constraint WHERE conname = 'tickets_payment_reference_form' AND NOT convalidated) THEN
    ALTER TABLE tickets VALIDATE CONSTRAINT tickets_payment_reference_form;
  END IF;
END $$;
--> statement-breakpoint
DROP INDEX IF EXISTS tickets_pending_payer;
--> statement-breakpoint
DROP INDEX IF EXISTS tickets_pending_user;
--> statement-breakpoint
DROP TABLE online_steps;
