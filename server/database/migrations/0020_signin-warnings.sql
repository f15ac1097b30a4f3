-- Failed sign-ins are counted among the rate limits, and nobody is warned of guesses any more.
DROP FUNCTION announce_sign_in_attacks(), announce_sign_in_attacks_update();
--> statement-breakpoint
DO $$ BEGIN
  IF to_regclass('alarms') IS NOT NULL THEN DELETE FROM alarms WHERE key LIKE 'second-codes:%'; END IF;
END $$;
