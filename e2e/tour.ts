import { expect, type Page } from '@playwright/test';
import { type Caller, callAs, callAsAdministrator, fileTickets } from './caller.ts';
import { type Fed, makeReference, openAccount, sms } from './incoming.ts';
import type { Person } from './people.ts';
import type { Product } from './product.ts';
import { confirmOrder, drillDown, enterAsAdministrator, enterAsGuest, enterBy, openTab } from './steps.ts';

type Visit = (name: string) => Promise<void>;

/** Calls `visit` on a screen once its sign is visible. */
const makeShow = (page: Page, visit: Visit) => async (name: string, sign: string | RegExp) => {
  await expect(page.getByText(sign).locator('visible=true').first()).toBeVisible();
  await visit(name);
};

/** Visits every screen before a sign-in and of a guest with `visit`. */
export async function tourAsGuest(page: Page, product: Product, visit: Visit): Promise<void> {
  const show = makeShow(page, visit);
  await page.goto(product.url);
  await show('connexion', 'Mot de passe oublié ?');
  await page.getByRole('tab', { name: 'Inscription' }).click();
  await page.getByRole('button', { name: "S'inscrire" }).click();
  await show('inscription-erreurs', 'Le mot de passe doit contenir au moins 6 caractères.');
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
  await show('accueil-invite', 'Accès rapide');
  await page.getByRole('searchbox', { name: 'Rechercher un service' }).fill('forfait 7');
  await show('recherche', /résultats/);
  await page.getByRole('searchbox', { name: 'Rechercher un service' }).fill('pizza');
  await show('recherche-vide', 'Aucun service ne correspond');
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await show('parametres-invite', 'Vous naviguez en mode invité');
  await page.getByRole('link', { name: 'Notifications' }).click();
  await show('notifications-invite', 'Créer un compte');
}

/** Visits every screen of a new person with `visit`. */
export async function tourAsPerson(page: Page, product: Product, person: Person, visit: Visit): Promise<void> {
  const show = makeShow(page, visit);
  // A headless browser blocks all notifications; a phone's asks.
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'default' });
  });
  const caller = await callAs(product, person);
  await enterBy(page, product, caller.entrance);
  await show('accueil', 'Accès rapide');
  await page.getByRole('link', { name: 'Tickets' }).click();
  await show('tickets-vide', 'Aucun ticket trouvé');
  await page.getByRole('link', { name: 'Notifications' }).click();
  await show('notifications-vide', 'Aucune notification');
  await page.getByRole('link', { name: 'Accueil' }).click();
  await page.getByRole('button', { name: /Télécom et mobile/ }).click();
  await page.getByRole('button', { name: /Burkina Faso/ }).click();
  await show('services', 'Burkina Faso - Services');
  await drillDown(page, ['Orange', 'Forfaits internet', 'Forfait internet 7 jours']);
  await show('recapitulatif', 'Total à payer');
  await confirmOrder(page, { beneficiary: '70 12 34 56', total: /^1.050\sFCFA$/ });
  await show('demande-creee', 'Retour à l');
  await page.getByRole('button', { name: "Retour à l'accueil" }).click();
  await show('accueil-demande-en-attente', 'Utilisés récemment');
  await fileTickets(caller, 1);
  await page.getByRole('link', { name: 'Tickets' }).click();
  await expect(page.getByText('Bouquet Access').first()).toBeVisible();
  await show('tickets', "J'ai payé");
  await page
    .getByRole('link', { name: /^Détails/ })
    .first()
    .click();
  await show('ticket', 'Historique');
  await page.getByRole('button', { name: /^J'ai payé/ }).click();
  await page.getByLabel(/^Référence de la transaction/).fill('PPA40512.1234.A12345');
  await show('paiement', 'Déclarer le paiement');
  await page.getByRole('button', { name: 'Déclarer le paiement' }).click();
  await show('ticket-paye', 'Paiement déclaré');
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await show('parametres', 'À propos');
  for (const [entry, name, sign] of [
    ['Profil', 'profil', 'Le numéro ne change pas'],
    ['Bénéficiaires', 'beneficiaires', 'Aucun bénéficiaire'],
    ['Sécurité', 'changer-mot-de-passe', 'Mot de passe actuel'],
    ['Notifications', 'parametres-notifications', 'Être prévenu sur cet appareil'],
    ['Affichage', 'affichage', 'Taille du texte'],
    ["Centre d'aide", 'aide', 'Comment payer'],
  ] as const) {
    await page.getByRole('main').getByRole('button', { name: entry }).click();
    await show(name, sign);
    await page.keyboard.press('Escape');
  }

  await decideTickets(product, caller);
  await page.goto(`${product.url}/notifications`);
  await show('notifications', 'Marquer tout comme lu');
  await page.getByRole('button', { name: /Demande rejetée/ }).click();
  await show('notification', 'Nous contacter');
  await page.getByRole('link', { name: 'Tickets' }).click();
  await show('tickets-decides', 'Motif :');
  await page.getByRole('button', { name: /^Reçu/ }).click();
  await show('recu', 'Partager');
  await page.goto((await page.getByRole('dialog').getByRole('link').getAttribute('href')) ?? '');
  await show('recu-verifie', 'Reçu authentique');
  await caller.end();
}

/** Rejects a person's newest ticket with a reason, and approves the others. */
async function decideTickets(product: Product, { userId }: Caller): Promise<void> {
  const admin = await callAsAdministrator(product);
  const tickets = (await admin.send('GET', `/api/admin/tickets?userId=${userId}`)) as { id: number }[];
  for (const [place, { id }] of tickets.entries()) {
    const rejected = { status: 'rejected', reason: 'Le numéro du bénéficiaire ne répond pas.' };
    await admin.send('PATCH', `/api/tickets/${id}/status`, place === 0 ? rejected : { status: 'approved' });
  }
  await admin.end();
}

/** Declares a ticket of 5 100 FCFA paid, and sends the SMS of its payment to a new account. */
async function sendPayment(product: Product, caller: Caller, ticketId: number, { phone }: Person): Promise<Fed> {
  const reference = makeReference();
  await caller.send('POST', `/api/tickets/${ticketId}/payment-declaration`, { reference });
  const account = await openAccount(product);
  // The second balance follows from the first: the pair is sure.
  for (const [gross, payer, balance, of] of [
    ['700.00', '70000009', '10000.00', makeReference()],
    ['5100.00', phone, '15100.00', reference],
  ] as const)
    await account.forward(sms({ gross, payer, balance, reference: of }));
  return account;
}

/** Visits every screen of the panel with `visit`; a new person files the tickets that are decided there. */
export async function tourAsAdministrator(page: Page, product: Product, person: Person, visit: Visit): Promise<void> {
  const show = makeShow(page, visit);
  const caller = await callAs(product, person);
  const [paid] = await fileTickets(caller, 3);
  const { label } = await sendPayment(product, caller, paid as number, person);
  await caller.end();
  await enterAsAdministrator(page, product);
  await show('admin-tableau-de-bord', 'Répartition');
  await openTab(page, 'Tickets');
  await show('admin-tickets', 'Approuver');
  await page
    .getByRole('button', { name: /^Rejeter le ticket/ })
    .first()
    .click();
  await page.getByLabel('Motif (facultatif)').fill('Le numéro du bénéficiaire ne répond pas.');
  await show('admin-rejet', 'Motif (facultatif)');
  await page.getByRole('dialog').getByRole('button', { name: 'Rejeter', exact: true }).click();
  await expect(page.getByText('Le numéro du bénéficiaire ne répond pas.').first()).toBeVisible();
  await page
    .getByRole('button', { name: /^Approuver le ticket/ })
    .nth(1)
    .click();
  await expect(page.getByText('Approuvé', { exact: true }).locator('visible=true').first()).toBeVisible();
  await page
    .getByRole('button', { name: /^Ouvrir le ticket/ })
    .first()
    .click();
  await show('admin-ticket', 'Historique');
  await page.getByRole('dialog').getByRole('button', { name: 'Fermer', exact: true }).click();
  await page.getByRole('button', { name: 'Tous les utilisateurs' }).click();
  await show('admin-choix-utilisateur', 'Choisir un utilisateur');
  await page.keyboard.press('Escape');
  await openTab(page, 'Services');
  await page
    .getByRole('list', { name: 'Services' })
    .getByRole('button', { name: /^Télécom et mobile/ })
    .click();
  await page
    .getByRole('list', { name: 'Services' })
    .getByRole('button', { name: /^Burkina Faso/ })
    .click();
  await show('admin-services', 'Gestion Hiérarchique des Services');
  await page.getByRole('button', { name: 'Nouveau Service' }).click();
  await page.getByLabel('Nom du service').fill('Forfait internet 30 jours');
  await page.getByLabel('Service final').check();
  await show('admin-service-nouveau', 'Type de commission');
  await page.getByRole('button', { name: 'Annuler' }).last().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Abandonner' }).click();
  await page.getByRole('button', { name: 'Importer, exporter' }).click();
  await show('admin-catalogue-fichier', 'Exporter');
  await page.keyboard.press('Escape');
  await openTab(page, 'Utilisateurs');
  await show('admin-utilisateurs', /utilisateurs?$/);
  await page
    .getByRole('button', { name: /^Actions/ })
    .first()
    .click();
  await show('admin-utilisateur-actions', /^(Réinitialiser|Supprimer)/);
  await page.keyboard.press('Escape');
  await page.locator('[data-row] a').first().click();
  await show('admin-utilisateur', 'Fermer');
  await page.keyboard.press('Escape');
  await openTab(page, 'Paiements');
  await show('admin-paiements', 'Orange Money');
  await page.getByRole('link', { name: 'Encaissements' }).click();
  await show('admin-encaissements', /^Approuver \d+ paiement/);
  await page.getByRole('link', { name: 'Comptes', exact: true }).click();
  await show('admin-comptes', label);
  await page.getByRole('link', { name: 'Types de paiement' }).click();
  await page.getByRole('button', { name: 'Nouveau type de paiement' }).click();
  await show('admin-paiement-nouveau', /^Opérateur/);
  await page.keyboard.press('Escape');
  await openTab(page, 'Contenu');
  await show('admin-contenu', '/conditions-utilisation');
  await page.getByRole('button', { name: 'Nouvelle Page' }).click();
  await show('admin-page-nouvelle', 'Aperçu');
  await page.keyboard.press('Escape');
  await openTab(page, 'Paramètres');
  await show('admin-parametres', 'Opacité');
  await page.getByRole('link', { name: 'Contact', exact: true }).click();
  await show('admin-contact', 'WhatsApp');
  await page.getByRole('link', { name: 'Motifs de rejet' }).click();
  await show('admin-motifs', 'Paiement introuvable.');
  await page.getByRole('link', { name: 'SMS', exact: true }).click();
  await show('admin-sms', 'Passerelles');
  await page.getByRole('link', { name: 'Sauvegardes' }).click();
  await show('admin-sauvegardes', 'Dernière sauvegarde');
  await page.getByRole('link', { name: "Journal d'audit" }).click();
  await show('admin-journal', 'Ticket décidé');
  await page.getByRole('link', { name: 'Mon compte' }).click();
  await show('admin-compte', 'Mot de passe actuel');
}
