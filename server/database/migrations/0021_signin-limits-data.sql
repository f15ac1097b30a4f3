-- Failed sign-ins are counted among the rate limits from here on, and nobody is warned of guesses. The triggers go with the function.
DROP FUNCTION announce_sign_in_attacks() CASCADE;
--> statement-breakpoint
DO $$ BEGIN
  IF to_regclass('alarms') IS NOT NULL THEN DELETE FROM alarms WHERE key LIKE 'second-codes:%'; END IF;
END $$;
--> statement-breakpoint
-- From here on a used token is deleted.
DELETE FROM reset_tokens WHERE used_at IS NOT NULL;
