import { expect, type Page, type Route } from '@playwright/test';
import { type Person, password } from '../e2e/people.ts';
import type { Product } from '../e2e/product.ts';
import { drillDown, enterAsAdministrator, fillOrder, openTab, signIn, toBundle } from '../e2e/steps.ts';

type Visit = (name: string) => Promise<void>;

const fail = (route: Route) => route.fulfill({ status: 500, body: '{}' });
const hold = () => {};

/** A screen whose data is late or missing. */
interface Trouble {
  name: string;
  path: string;
  calls: string | RegExp;
  sign: string | RegExp;
  answer: (route: Route) => unknown;
}

const lists = {
  // A level also draws from the catalogue's answer.
  services: /\/api\/(services|catalogue)(\?|$)/,
  tickets: '**/api/tickets/user/*?*',
  news: '**/api/notifications/user/*?*',
};

const troubles: Trouble[] = [
  { name: 'chargement', path: '/', calls: '**/assets/*.js', sign: 'Chargement...', answer: hold },
  {
    name: 'page-non-chargee',
    path: '/tickets',
    calls: '**/assets/tickets-page*.js',
    sign: "Cette page n'a pas pu être chargée.",
    answer: (route) => route.abort(),
  },
  { name: 'accueil-chargement', path: '/', calls: lists.services, sign: 'Chargement des services...', answer: hold },
  {
    name: 'accueil-erreur',
    path: '/',
    calls: lists.services,
    sign: 'Impossible de charger les services.',
    answer: fail,
  },
  {
    name: 'tickets-chargement',
    path: '/tickets',
    calls: lists.tickets,
    sign: 'Chargement des tickets...',
    answer: hold,
  },
  {
    name: 'tickets-erreur',
    path: '/tickets',
    calls: lists.tickets,
    sign: 'Impossible de charger vos tickets.',
    answer: fail,
  },
  {
    name: 'notifications-chargement',
    path: '/notifications',
    calls: lists.news,
    sign: 'Chargement des notifications...',
    answer: hold,
  },
  {
    name: 'notifications-erreur',
    path: '/notifications',
    calls: lists.news,
    sign: 'Impossible de charger vos notifications.',
    answer: fail,
  },
];

/** States of slow and failing connections, and of rare events, for a visitor whose tickets are decided. */
export async function visitStates(page: Page, product: Product, person: Person, visit: Visit): Promise<void> {
  const open = async (path: string, sign: string | RegExp) => {
    // A page of the same origin without the app, which would continue to store answers.
    await page.goto(`${product.url}/api/health/live`);
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith('guichet_kept:')) localStorage.removeItem(key);
    });
    await page.goto(product.url + path, { waitUntil: 'commit' });
    await expect(page.getByText(sign).locator('visible=true').first()).toBeVisible();
  };
  await visitSignedOut(page, product, visit);
  await signIn(page, product, person.phone, password, `Bonjour ${person.firstName}`);
  for (const { name, path, calls, sign, answer } of troubles) {
    await page.route(calls, answer);
    await open(path, sign);
    await visit(name);
    await page.unroute(calls);
  }
  for (const [path, name, sign] of [
    ['/ticket/999999', 'ticket-introuvable', 'Ticket introuvable'],
    ['/notification/999999', 'notification-introuvable', 'Notification introuvable'],
    ['/content/nulle-part', 'page-introuvable', 'La page demandée n'],
  ] as const) {
    await open(path, sign);
    await visit(name);
  }
  await visitEmptyLevel(page, open, visit);
  await visitOrders(page, open, visit);
  await visitProgress(page, open, visit);
  await open('/', 'Télécom et mobile');
  await page.getByRole('link', { name: 'Tickets' }).click();
  await expect(page.getByText('Motif :')).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(/^Hors ligne/)).toBeVisible();
  await visit('tickets-hors-ligne');
  await page.getByRole('link', { name: 'Accueil' }).click();
  await expect(page.getByText('Nos Services')).toBeVisible();
  await visit('accueil-hors-ligne');
  await page.context().setOffline(false);
  await visitOffers(page, open, visit);
}

type Open = (path: string, sign: string | RegExp) => Promise<void>;

async function visitSignedOut(page: Page, product: Product, visit: Visit): Promise<void> {
  await page.goto(product.url);
  await page.getByRole('tab', { name: 'Inscription' }).click();
  await expect(page.getByLabel('Confirmer le mot de passe')).toBeVisible();
  await visit('inscription');
  await page.evaluate(() => localStorage.setItem('resetPasswordPhone', '+22676000000'));
  await page.goto(`${product.url}/forgot-password-otp`);
  await expect(page.getByLabel('Chiffre 1')).toBeVisible();
  await visit('mot-de-passe-code');
  await page.evaluate(() => localStorage.removeItem('resetPasswordPhone'));
  await page.goto(product.url);
  await page.getByRole('tab', { name: 'Connexion' }).click();
}

async function visitEmptyLevel(page: Page, open: Open, visit: Visit): Promise<void> {
  await page.route(lists.services, async (route) => {
    const services = await (await route.fetch()).json();
    await route.fulfill({ json: services.filter(({ parentId }: { parentId: number | null }) => parentId === null) });
  });
  await open('/', 'Nos Services');
  await page.getByRole('button', { name: /Banque et épargne/ }).click();
  await expect(page.getByText('Aucun service disponible à ce niveau.')).toBeVisible();
  await visit('services-vide');
  await page.unroute(lists.services);
}

/** A decided ticket, a completed order, and both kinds of toast. */
async function visitOrders(page: Page, open: Open, visit: Visit): Promise<void> {
  await open('/tickets', 'Motif :');
  await page.getByText('Envoi national').first().click();
  await visit('tickets-deplie');
  await page
    .getByRole('link', { name: /^Détails/ })
    .locator('visible=true')
    .first()
    .click();
  await expect(page.getByText('Historique')).toBeVisible();
  await visit('ticket-rejete');
  await open('/', 'Nos Services');
  await drillDown(page, toBundle);
  await visit('message');
  await open('/', 'Nos Services');
  await drillDown(page, ["Transfert d'argent", 'Orange Money', 'Envoi national']);
  await fillOrder(page, { beneficiary: '+225 07 01 23 45 67', amount: '25 000', total: /^25.500\sFCFA$/ });
  await visit('recapitulatif-rempli');
  await page.route('**/api/tickets', fail);
  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  await expect(page.getByText("Une erreur s'est produite lors de la création de votre demande.")).toBeVisible();
  await visit('message-erreur');
  await page.unroute('**/api/tickets');
}

/** 'Marquer tout comme lu' at 3 of 12: later requests are held back. */
async function visitProgress(page: Page, open: Open, visit: Visit): Promise<void> {
  const many = Array.from({ length: 12 }, (_, place) => ({
    id: 900_012 - place,
    userId: 1,
    title: 'Demande approuvée',
    message: `Votre demande n° ${412 - place} (Forfait internet 7 jours) a été approuvée.`,
    isRead: false,
    type: 'success',
    relatedTicketId: null,
    createdAt: new Date(Date.now() - (place + 1) * 5_400_000).toISOString(),
  }));
  let marked = 0;
  await page.route(lists.news, (route) => route.fulfill({ json: many }));
  await page.route('**/api/notifications/*/read', async (route) => {
    marked += 1;
    const id = Number(/(\d+)\/read$/.exec(route.request().url())?.[1]);
    if (marked <= 3) await route.fulfill({ json: { ...many.find((each) => each.id === id), isRead: true } });
  });
  await open('/notifications', 'Marquer tout comme lu');
  await page.getByRole('button', { name: 'Marquer tout comme lu' }).click();
  await expect(page.getByText('3 sur 12 lues')).toBeVisible();
  await visit('notifications-progression');
  await page.unroute('**/api/notifications/*/read');
  await page.unroute(lists.news);
}

/** The offer of a new version. */
async function visitOffers(page: Page, open: Open, visit: Visit): Promise<void> {
  await page.addInitScript(() => {
    const waiting = Object.assign(new EventTarget(), { state: 'installed', postMessage: () => {} });
    const registration = Object.assign(new EventTarget(), { waiting, update: async () => {} });
    const workers = { controller: {}, register: async () => registration, getRegistration: async () => registration };
    const fake = Object.assign(new EventTarget(), workers, { ready: Promise.resolve(registration) });
    Object.defineProperty(navigator, 'serviceWorker', { get: () => fake });
  });
  await open('/', 'Nouvelle version disponible');
  await expect(page.getByText('Nos Services')).toBeVisible();
  // Home restores its last scroll position.
  await page.evaluate(() => scrollTo(0, 0));
  await visit('nouvelle-version');
}

export async function visitAdminStates(page: Page, product: Product, visit: Visit): Promise<void> {
  const dashboard = '**/api/admin/dashboard?*';
  const since = new Date(Date.now() - 86_400_000).toISOString();
  const message = "Aucune sauvegarde n'a réussi depuis plus de 36 heures\u00a0: vérifiez BACKUP_DIR et le journal.";
  await page.route(dashboard, async (route) => {
    const figures = await (await route.fetch()).json();
    const alarms = [
      { key: 'backup', level: 'critical', message, since },
      { key: 'disk', level: 'warning', message: "Il reste 8 % d'espace sur le disque de /srv/guichet.", since },
    ];
    await route.fulfill({ json: { ...figures, alarms } });
  });
  await enterAsAdministrator(page, product);
  await expect(page.getByText('À surveiller')).toBeVisible();
  await visit('admin-alarmes');
  await page.unroute(dashboard);
  const opener = page.getByRole('button', { name: 'Ouvrir le menu' });
  if (await opener.isVisible()) await opener.click();
  else await page.getByRole('button', { name: 'Replier le menu' }).click();
  await visit('admin-menu');
  if (await opener.isVisible()) await page.keyboard.press('Escape');
  const tickets = '**/api/admin/tickets?*';
  for (const [name, sign, answer] of [
    ['admin-tickets-chargement', 'Chargement des tickets...', hold],
    ['admin-tickets-erreur', 'Impossible de charger les tickets.', fail],
  ] as const) {
    await page.route(tickets, answer);
    await page.goto(`${product.url}/admin?onglet=tickets`);
    await openTab(page, 'Tickets');
    await expect(page.getByText(sign)).toBeVisible();
    await visit(name);
    await page.unroute(tickets);
  }
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await page.getByLabel('Rechercher un ticket ou un service').fill('pizza');
  await expect(page.getByText('Aucun ticket trouvé')).toBeVisible();
  await visit('admin-tickets-aucun');
  await openTab(page, 'Utilisateurs');
  const actions = page.getByRole('button', { name: /^Actions/ }).first();
  for (const [item, name] of [
    ['Réinitialiser le mot de passe', 'admin-mot-de-passe'],
    ['Supprimer définitivement', 'admin-suppression'],
  ] as const) {
    await actions.click();
    await page.getByRole('menuitem', { name: item }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await visit(name);
    await page.keyboard.press('Escape');
  }
}
