-- The audit log has what was done; what was refused is in the process's log. The clean-up trims the log each hour, so that is
-- no entry of its own.
SELECT set_config('guichet.trimming_audit_log', 'on', true);
--> statement-breakpoint
DELETE FROM audit_log WHERE status >= 400 OR action = 'trim_audit_log';
--> statement-breakpoint
SELECT set_config('guichet.trimming_audit_log', 'off', true);
--> statement-breakpoint
CREATE OR REPLACE FUNCTION trim_audit_log(before timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  gone integer;
BEGIN
  PERFORM set_config('guichet.trimming_audit_log', 'on', true);
  DELETE FROM audit_log WHERE created_at < before;
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('guichet.trimming_audit_log', 'off', true);
  RETURN gone;
END $$;
