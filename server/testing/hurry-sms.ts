import type pg from 'pg';

/** Has every message that was put off tried now, and every gateway take one, as if their pauses were over. */
export async function hurrySms(pool: pg.Pool): Promise<void> {
  await pool.query('update sms_gateways set next_at = null');
  await pool.query(
    `select graphile_worker.reschedule_jobs(array(select job_id from sms_messages where status = 'queued'), run_at => now())`,
  );
  await pool.query(`select pg_notify('jobs:insert', '{"r":1,"count":1}')`);
}
