-- A message is read in the request that brings it. What an earlier version left to its job is for a person.
UPDATE payment_messages SET state = 'unread', why = 'Ce message attendait d''être lu pendant une mise à jour.' WHERE state = 'waiting';
--> statement-breakpoint
DO $$ BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NOT NULL THEN
    DELETE FROM graphile_worker._private_jobs WHERE task_id IN (
      SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'read_payment_message');
  END IF;
END $$;
