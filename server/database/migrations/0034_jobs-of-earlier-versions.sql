-- Jobs of earlier versions that no version does any more wait for ever, and count as due. A new database has no queue yet.
DO $$ BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NOT NULL THEN
    DELETE FROM graphile_worker._private_jobs WHERE task_id IN (
      SELECT id FROM graphile_worker._private_tasks
      WHERE identifier IN ('announce_demand', 'call_alarm_webhook', 'check_sms_balance', 'tell_alarm_end', 'tell_alarms', 'watch',
        'watch_certificate', 'watch_payment_feeds'));
  END IF;
END $$;
