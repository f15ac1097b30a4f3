import type pg from 'pg';

/** Has no message that was put off tried again before `hurrySms`, however slow the machine is. */
export const holdSms = (pool: pg.Pool) =>
  pool.query(`
    create function hold_sms() returns trigger language plpgsql as $$
    begin
      if new.run_at > now() then new.run_at := new.run_at + interval '1 h'; end if;
      return new;
    end $$;
    create trigger hold_sms before insert or update of run_at on graphile_worker._private_jobs
      for each row execute function hold_sms()`);

/** Has every message that was put off tried now, and every gateway take one, as if their pauses were over. */
export async function hurrySms(pool: pg.Pool): Promise<void> {
  await pool.query('update sms_gateways set next_at = null');
  await pool.query(
    `select graphile_worker.reschedule_jobs(array(select job_id from sms_messages where status = 'queued'), run_at => now())`,
  );
  await pool.query(`select pg_notify('jobs:insert', '{"r":1,"count":1}')`);
}
