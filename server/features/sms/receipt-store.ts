import type { Db } from '#server/database/connect.ts';
import { statement } from '#server/database/statement.ts';
import type { Receipt } from './read-receipt.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// That a phone has it is true whoever carried it; that one gateway did not deliver says something of that gateway's attempt alone.
const recorded = statement(`
  with receipt as (
    select id, reference, delivery from unnest($2::text[], $3::uuid[], $4::text[]) as receipt (id, reference, delivery)
  ), meant as (
    select m.id, bool_or(r.delivery = 'delivered') as delivered
    from receipt r join sms_messages m
      on (m.provider = $1 and m.gateway_id = r.id)
      or (m.reference = r.reference and (m.provider = $1 or r.delivery = 'delivered'))
    group by m.id
  )
  update sms_messages m set
    delivery = case when delivered then 'delivered' else 'undelivered' end,
    delivered_at = case when delivered then now() end
  from meant where m.id = meant.id and m.delivery is distinct from 'delivered'
    and m.delivery is distinct from case when delivered then 'delivered' else 'undelivered' end`);

/**
 * Records receipts of a gateway. Unknown messages are left out, a delivered one stays delivered, and a repeated receipt
 * changes nothing.
 */
export async function recordReceipts(db: Db, gateway: string, receipts: readonly Receipt[]): Promise<void> {
  if (receipts.length === 0) return;
  await db.ask(
    recorded(
      gateway,
      receipts.map(({ id }) => id),
      receipts.map(({ id }) => (uuid.test(id) ? id : null)),
      receipts.map(({ delivery }) => delivery),
    ),
  );
}
