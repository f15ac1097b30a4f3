import type { Page } from '@playwright/test';
import { sql } from 'drizzle-orm';
import { decisionsMeasured } from '#contract/tickets.ts';
import { untilAnswered } from './answers.ts';
import { callAs, fileTickets } from './caller.ts';
import { stopClock } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { enlarge, expectNoSidewaysScroll } from './layout.ts';
import type { Product } from './product.ts';
import { confirmOrder, drillDown, enterBy, toBundle } from './steps.ts';

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

/** No decision of this product is of these days any more. */
async function decideLongAgo(product: Product): Promise<void> {
  const db = await product.openDatabase();
  await db.execute(sql`update ticket_events set created_at = created_at - interval '8 days' where status <> 'pending'`);
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

test('P9.13, what was just ordered says the usual time, or nothing where there is none', async ({ page, product }) => {
  await decideLongAgo(product);
  const caller = await callAs(product, { firstName: 'Lazare', lastName: 'Attend', phone: '78000302' });
  await caller.end();
  const order = { beneficiary: '70 12 34 56', total: /1.050\sFCFA/ };
  await enterBy(page, product, caller.entrance);
  await drillDown(page, toBundle);
  await confirmOrder(page, order);
  const sheet = page.getByRole('dialog', { name: 'Demande créée avec succès' });
  await untilAnswered(page);
  await expect(sheet).toContainText('Votre demande reste en attente de vérification.');
  await expect(said(page)).toHaveCount(0);

  await decideIn(product, 2 * 3600 - 10);
  await page.goto(product.url);
  await drillDown(page, toBundle);
  await untilAnswered(page);
  // Known before the sheet opens: its arrival would move the code under a finger.
  await page.route('**/api/decision-time', (route) => route.abort());
  await confirmOrder(page, { ...order, beneficiary: '70 12 34 57' });
  await expect(sheet).toContainText('vérification. Vérifié en général en 2\u00a0h.');
});
