import type { Page } from '@playwright/test';
import { sql } from 'drizzle-orm';
import { decisionsMeasured } from '#contract/tickets.ts';
import { callAs, fileTickets } from './caller.ts';
import { stopClock } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { enlarge, expectNoSidewaysScroll } from './layout.ts';
import type { Product } from './product.ts';
import { enterBy } from './steps.ts';

/** The last decisions of the product, each so many seconds after its filing. */
async function decideIn(product: Product, seconds: number): Promise<void> {
  const db = await product.openDatabase();
  await db.execute(sql`
    with filed as (
      insert into tickets (status, payment_type_name, amount, commission, total_price, service_path,
                           beneficiary_phone_number, fingerprint, created_at)
      select 'approved', 'Wave', 1, 0, '1', '[{"id":1,"name":"Envoi","price":null,"level":1}]', '+22670123456', '-',
             now() - make_interval(secs => ${seconds})
      from generate_series(1, ${decisionsMeasured}::int)
      returning id
    ) insert into ticket_events (ticket_id, status) select id, 'approved' from filed`);
}

const said = (page: Page) => page.getByText(/Vérifié en général/);

test('P9.13, a pending ticket says how long it waits, by the clock, and how long that usually is', async ({
  page,
  product,
}) => {
  const caller = await callAs(product, { firstName: 'Wendpuiré', lastName: 'Attend', phone: '78000301' });
  const [id] = await fileTickets(caller, 1);
  await caller.end();
  await decideIn(product, 11 * 60 + 10);
  await page.clock.install();
  await enterBy(page, product, caller.entrance, '/tickets');
  const card = page.locator(`#ticket-${id}`);
  await expect(card).toContainText("En attente depuis moins d'une minute");
  await expect(said(page)).toHaveCount(0);
  await stopClock(page);
  await page.clock.runFor(5 * 60_000);
  await expect(card).toContainText('En attente depuis 5\u00a0min');
  // Nobody is told of a minute that passes.
  await expect(page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: 'depuis' })).toHaveCount(0);

  await page.clock.resume();
  await card.getByRole('link', { name: /^Détails/ }).click();
  const screen = page.getByRole('paragraph').filter({ hasText: 'En attente depuis' });
  await expect(screen).toHaveText('En attente depuis 5\u00a0min. Vérifié en général en 12\u00a0min.');
  await stopClock(page);
  await page.clock.runFor(2 * 60_000);
  await expect(screen).toHaveText('En attente depuis 7\u00a0min. Vérifié en général en 12\u00a0min.');
  for (const large of [false, true]) {
    await enlarge(page, large);
    await expectNoSidewaysScroll(page);
  }
});
