import type { Page } from '@playwright/test';
import type { PathStep, Ticket } from '#contract/tickets.ts';
import { type Branch, expect, test } from './branch.ts';
import { type Caller, callAs, fileTickets } from './caller.ts';
import { boxOf } from './layout.ts';
import type { Person } from './people.ts';
import type { Product } from './product.ts';
import { enterBy } from './steps.ts';

/** A signed-in person on the tickets screen, and their API client. */
async function openTickets(page: Page, product: Product, person: Person, file: (caller: Caller) => Promise<unknown>) {
  const caller = await callAs(product, person);
  await file(caller);
  await enterBy(page, product, caller.entrance, '/tickets');
  await expect(page.getByRole('heading', { name: 'Mes Tickets' })).toBeVisible();
  return caller;
}

const card = (page: Page, id: number | undefined) => page.locator(`#ticket-${id}`);
const decide = ({ admin }: Branch, id: number | undefined, status: string, reason?: string) =>
  admin.send('PATCH', `/api/tickets/${id}/status`, { status, reason });

test('tickets stand under their days; those that wait show their code, the decided ones are folded', async ({
  page,
  product,
  branch,
}) => {
  const person = { firstName: 'Alizèta', lastName: 'Sana', phone: '78000001' };
  let [waiting, approved, rejected]: (number | undefined)[] = [];
  await page.clock.install();
  await openTickets(page, product, person, async (caller) => {
    [waiting, approved, rejected] = await fileTickets(caller, 3);
    await decide(branch, approved, 'approved');
    await decide(branch, rejected, 'rejected', 'Montant différent.');
    await caller.end();
  });
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(["Aujourd'hui"]);
  await expect(page.locator('[id^=ticket-]')).toHaveCount(3);
  await expect(card(page, waiting).getByText(/^\*[\d*]*5100#$/)).toBeVisible();
  await expect(card(page, waiting)).toContainText(
    /Pour\s\+226\s70(?:\s\d\d){3}.*Télévision.*Wave\s·.*\d\d:\d\d.*En attente depuis/,
  );
  await expect(card(page, waiting).getByRole('button', { name: /^J'ai payé/ })).toBeVisible();

  for (const [id, action] of [
    [approved, 'Reçu'],
    [rejected, 'Recommencer'],
  ] as const) {
    const folded = card(page, id);
    await expect(folded.getByText('Chemin')).toBeHidden();
    await expect(folded.getByRole('button', { name: /^Recommencer/ })).toBeVisible();
    await folded.locator('summary').click();
    await expect(folded.getByText('Factures et paiements → Télévision → Bouquet Access')).toBeVisible();
    await expect(folded.getByText('Wave')).toBeVisible();
    await expect(folded.getByRole('button', { name: action })).toBeVisible();
    const details = await boxOf(folded.getByRole('link', { name: /^Détails/ }));
    expect(details.y).toBe((await boxOf(folded.getByRole('button', { name: /^Recommencer/ }))).y);
    await expect(folded.getByRole('button', { name: /payé|Copier/ })).toHaveCount(0);
  }
  // What waits and what is decided has its status and total at one edge.
  const ends = await page.getByText(/^(?:5.100\sFCFA|En attente|Approuvé|Rejeté)$/).all();
  expect(ends).toHaveLength(6);
  expect(new Set(await Promise.all(ends.map(async (each) => Math.round((await boxOf(each)).right)))).size).toBe(1);
  await expect(card(page, rejected).getByText('Motif : Montant différent.')).toBeVisible();
  await expect(card(page, approved).getByRole('button', { name: /^Recommencer/ })).toBeVisible();
  await expect(card(page, rejected).getByRole('button', { name: /^Reçu/ })).toHaveCount(0);

  // Days pass without news from a poll.
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 86_400_000);
  await page.clock.runFor(31_000);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Hier']);
  await page.clock.pauseAt(now + 5 * 86_400_000);
  await page.clock.runFor(31_000);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([/^\w+di \d|^dimanche \d|\d{4}$/]);
});

test("an approved order is made again at today's price; where its service is gone, one is told", async ({
  page,
  product,
  branch,
}) => {
  const service = await branch.add('Encore', { isFinalLevel: true, price: '2 000 FCFA', commissionValue: 100 });
  const person = { firstName: 'Eugénie', lastName: 'Zio', phone: '78000006' };
  let id: number | undefined;
  await openTickets(page, product, person, async (caller) => {
    const servicePath = [branch.root, service].map((each) => ({ id: each.id }) as PathStep);
    const ordered = { serviceId: service.id, servicePath, paymentTypeName: 'Wave', totalPrice: '2100' };
    const filed = await caller.send('POST', '/api/tickets', { ...ordered, beneficiaryPhoneNumber: '71 22 33 44' });
    id = (filed as Ticket).id;
    await decide(branch, id, 'approved');
    await caller.end();
  });
  await branch.change(service, { ...service, price: '2 500 FCFA' });
  const again = page.getByRole('button', { name: `Recommencer le ticket n° ${id}` });
  await again.click();
  await expect(page.getByRole('heading', { name: 'Récapitulatif de la commande' })).toBeVisible();
  await expect(page.getByLabel('Numéro du bénéficiaire')).toHaveValue(/71 ?22 ?33 ?44$/);
  await expect(page.getByTestId('total')).toHaveText(/^2.600\sFCFA$/);
  await expect(page.getByRole('button', { name: 'Confirmer la demande' })).toBeEnabled();
  await page.goBack();
  await branch.change(service, { ...service, isVisible: false });
  await again.click();
  await expect(page.getByText('Service indisponible')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Mes Tickets' })).toBeVisible();
});
