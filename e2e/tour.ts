import { expect, type Page } from '@playwright/test';
import { type Caller, callAs, callAsAdministrator, fileTickets } from './caller.ts';
import { type Fed, makeReference, openAccount, sms } from './incoming.ts';
import type { Person } from './people.ts';
import type { Product } from './product.ts';
import { confirmOrder, drillDown, enterAsAdministrator, enterAsGuest, enterBy, openTab } from './steps.ts';

type Visit = (name: string) => Promise<void>;

type Role = 'button' | 'link' | 'tab';

/**
 * `press` presses the first button, link or other thing of a name; `show` calls `visit` on a screen once its sign is
 * visible; `reach` shows the screen behind what it presses.
 */
function makeSteps(page: Page, visit: Visit) {
  const press = (pressed: string | RegExp, role: Role = 'button') =>
    page.getByRole(role, { name: pressed }).first().click();
  const show = async (name: string, sign: string | RegExp) => {
    await expect(page.getByText(sign).locator('visible=true').first()).toBeVisible();
    await visit(name);
  };
  const reach = async (name: string, sign: string | RegExp, pressed: string | RegExp, role?: Role) => {
    await press(pressed, role);
    await show(name, sign);
  };
  return { press, show, reach };
}

/** Visits every screen before a sign-in and of a guest with `visit`. */
export async function tourAsGuest(page: Page, product: Product, visit: Visit): Promise<void> {
  const { press, show, reach } = makeSteps(page, visit);
  await page.goto(product.url);
  await show('connexion', 'Mot de passe oublié ?');
  await press('Inscription', 'tab');
  await reach('inscription-erreurs', 'Le mot de passe doit contenir au moins 6 caractères.', "S'inscrire");
  await page.goto(`${product.url}/content/conditions-utilisation`);
  await show('page-de-contenu', '1. Ce que fait Guichet');
  await page.goto(`${product.url}/nulle-part`);
  await show('404', "La page demandée n'existe pas.");
  await page.goto(`${product.url}/forgot-password`);
  await show('mot-de-passe-oublie', 'Envoyer le code');
  for (const [key, value, path, name, sign] of [
    ['pendingVerificationPhone', '+22670123491', '/otp-verification', 'code-sms', 'Renvoyer le code'],
    ['resetPasswordToken', 'x'.repeat(43), '/reset-password', 'nouveau-mot-de-passe', 'Confirmer le mot de passe'],
  ] as const) {
    await page.evaluate(([item, text]) => localStorage.setItem(item, text), [key, value] as const);
    await page.goto(product.url + path);
    await show(name, sign);
    await page.evaluate((item) => localStorage.removeItem(item), key);
  }
  await enterAsGuest(page, product);
  await show('accueil-invite', /Accès rapide|Souvent demandés/);
  await page.getByRole('searchbox', { name: 'Rechercher un service' }).fill('forfait 7');
  await show('recherche', /résultats/);
  await page.getByRole('searchbox', { name: 'Rechercher un service' }).fill('pizza');
  await show('recherche-vide', 'Aucun service ne correspond');
  await reach('parametres-invite', 'Vous naviguez en mode invité', 'Paramètres', 'link');
  await reach('notifications-invite', 'Créer un compte', 'Notifications', 'link');
}

/** Visits every screen of a new person with `visit`. */
export async function tourAsPerson(page: Page, product: Product, person: Person, visit: Visit): Promise<void> {
  const { press, show, reach } = makeSteps(page, visit);
  // A headless browser blocks all notifications; a phone's asks.
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'default' });
  });
  const caller = await callAs(product, person);
  await enterBy(page, product, caller.entrance);
  await show('accueil', /Accès rapide|Souvent demandés/);
  await reach('tickets-vide', 'Aucun ticket trouvé', 'Tickets', 'link');
  await reach('notifications-vide', 'Aucune notification', 'Notifications', 'link');
  await press('Accueil', 'link');
  await press(/Télécom et mobile/);
  await reach('services', 'Burkina Faso - Services', /Burkina Faso/);
  await drillDown(page, ['Orange', 'Forfaits internet', 'Forfait internet 7 jours']);
  await show('recapitulatif', 'Total à payer');
  await confirmOrder(page, { beneficiary: '70 12 34 56', total: /^1.050\sFCFA$/ });
  await show('demande-creee', 'Retour à l');
  await reach('accueil-demande-en-attente', 'Nos Services', "Retour à l'accueil");
  await fileTickets(caller, 1);
  await press('Tickets', 'link');
  await expect(page.getByText('Bouquet Access').first()).toBeVisible();
  await show('tickets', "J'ai payé");
  await reach('ticket', 'Historique', /^Détails/, 'link');
  await press(/^J'ai payé/);
  await page.getByLabel(/^Collez le SMS ou la référence/).fill('PPA40512.1234.A12345');
  await show('paiement', 'Déclarer le paiement');
  await reach('ticket-paye', 'Paiement déclaré', 'Déclarer le paiement');
  await reach('parametres', 'À propos', 'Paramètres', 'link');
  for (const [entry, name, sign] of [
    ['Profil', 'profil', 'Le numéro ne change pas'],
    ['Bénéficiaires', 'beneficiaires', 'Aucun bénéficiaire'],
    ['Sécurité', 'changer-mot-de-passe', 'Mot de passe actuel'],
    ['Notifications', 'parametres-notifications', 'Être prévenu sur cet appareil'],
    ['Affichage', 'affichage', "Comme l'appareil"],
    ["Centre d'aide", 'aide', 'Comment payer'],
  ] as const) {
    await page.getByRole('main').getByRole('button', { name: entry }).click();
    await show(name, sign);
    await page.keyboard.press('Escape');
  }

  await decideTickets(product, caller);
  await page.goto(`${product.url}/notifications`);
  await show('notifications', 'Marquer tout comme lu');
  await reach('notification', 'Nous contacter', /Demande rejetée/);
  await reach('tickets-decides', 'Motif :', 'Tickets', 'link');
  await page.locator('summary').last().click();
  await reach('recu', 'Partager', /^Reçu/);
  await page.goto((await page.getByRole('dialog').getByRole('link').getAttribute('href')) ?? '');
  await show('recu-verifie', 'Reçu authentique');
}

/** Rejects a person's newest ticket with a reason, and approves the others. */
async function decideTickets(product: Product, { userId }: Caller): Promise<void> {
  const admin = await callAsAdministrator(product);
  const tickets = (await admin.send('GET', `/api/admin/tickets?userId=${userId}`)) as { id: number }[];
  for (const [place, { id }] of tickets.entries()) {
    const rejected = { status: 'rejected', reason: 'Le numéro du bénéficiaire ne répond pas.' };
    await admin.send('PATCH', `/api/tickets/${id}/status`, place === 0 ? rejected : { status: 'approved' });
  }
}

/** Declares a ticket of 5 100 FCFA paid, and sends the SMS of its payment to a new account. */
async function sendPayment(product: Product, caller: Caller, ticketId: number, { phone }: Person): Promise<Fed> {
  const reference = makeReference();
  await caller.send('POST', `/api/tickets/${ticketId}/payment-declaration`, { reference });
  const account = await openAccount(product);
  await account.forwardConfirmed(10_000);
  await account.forward(sms({ gross: '5100.00', payer: phone, balance: '15100.00', reference }));
  return account;
}

/** Visits every screen of the panel with `visit`; a new person files the tickets that are decided there. */
export async function tourAsAdministrator(page: Page, product: Product, person: Person, visit: Visit): Promise<void> {
  const { press, show, reach } = makeSteps(page, visit);
  const caller = await callAs(product, person);
  const [paid] = await fileTickets(caller, 3);
  const { label } = await sendPayment(product, caller, paid as number, person);
  await enterAsAdministrator(page, product);
  await show('admin-tableau-de-bord', 'Répartition');
  await openTab(page, 'Tickets');
  await show('admin-tickets', 'Approuver');
  await press(/^Rejeter le ticket/);
  await page.getByLabel('Motif (facultatif)').fill('Le numéro du bénéficiaire ne répond pas.');
  await show('admin-rejet', 'Motif (facultatif)');
  await page.getByRole('dialog').getByRole('button', { name: 'Rejeter', exact: true }).click();
  await expect(page.getByText('Le numéro du bénéficiaire ne répond pas.').first()).toBeVisible();
  await page
    .getByRole('button', { name: /^Approuver le ticket/ })
    .nth(1)
    .click();
  await expect(page.getByText('Approuvé', { exact: true }).locator('visible=true').first()).toBeVisible();
  await reach('admin-ticket', 'Historique', /^Ouvrir le ticket/);
  await page.getByRole('dialog').getByRole('button', { name: 'Fermer', exact: true }).click();
  await reach('admin-file', 'attend depuis', /^File d'attente/, 'link');
  await press(/^Tableau$/, 'link');
  // On a phone.
  const filters = page.getByRole('button', { name: 'Filtres' });
  if (await filters.isVisible()) await filters.click();
  await page.getByRole('combobox', { name: 'Utilisateur' }).click();
  await expect(page.getByRole('option', { name: /\+226/ }).first()).toBeVisible();
  await show('admin-choix-utilisateur', /\+226/);
  await page.keyboard.press('Escape');
  await openTab(page, 'Services');
  const tree = page.getByRole('list', { name: 'Services' });
  for (const name of [/^Télécom et mobile/, /^Burkina Faso/]) await tree.getByRole('button', { name }).click();
  await show('admin-services', 'Gestion Hiérarchique des Services');
  await press('Nouveau Service');
  await page.getByLabel('Nom du service').fill('Forfait internet 30 jours');
  await page.getByLabel('Service final').check();
  await show('admin-service-nouveau', 'Type de commission');
  await page.getByRole('button', { name: 'Annuler' }).last().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Abandonner' }).click();
  await reach('admin-catalogue-fichier', 'Exporter', 'Importer, exporter');
  await page.keyboard.press('Escape');
  await openTab(page, 'Utilisateurs');
  await show('admin-utilisateurs', /utilisateurs?$/);
  await reach('admin-utilisateur-actions', /^(Réinitialiser|Supprimer)/, /^Actions/);
  await page.keyboard.press('Escape');
  await page.locator('[data-row] a').first().click();
  await show('admin-utilisateur', 'Fermer');
  await page.keyboard.press('Escape');
  await openTab(page, 'Paiements');
  await show('admin-paiements', 'Orange Money');
  await reach('admin-encaissements', /^Approuver \d+\spaiement/, 'Encaissements', 'link');
  await reach('admin-cloture', 'Imprimer', /^Clôture$/, 'link');
  await reach('admin-comptes', label, /^Comptes$/, 'link');
  await press('Types de paiement', 'link');
  await reach('admin-paiement-nouveau', /^Opérateur/, 'Nouveau type de paiement');
  await page.keyboard.press('Escape');
  await openTab(page, 'Contenu');
  await show('admin-contenu', '/conditions-utilisation');
  await reach('admin-page-nouvelle', 'Aperçu', 'Nouvelle Page');
  await page.keyboard.press('Escape');
  await openTab(page, 'Paramètres');
  await show('admin-parametres', 'Opacité');
  await reach('admin-contact', 'WhatsApp', /^Contact$/, 'link');
  await reach('admin-motifs', 'Paiement introuvable.', 'Motifs de rejet', 'link');
  await reach('admin-sms', 'Passerelles', /^SMS$/, 'link');
  await reach('admin-sauvegardes', 'Dernière sauvegarde', 'Sauvegardes', 'link');
  await reach('admin-journal', 'Ticket décidé', "Journal d'audit", 'link');
  await reach('admin-compte', 'Mot de passe actuel', 'Mon compte', 'link');
}
