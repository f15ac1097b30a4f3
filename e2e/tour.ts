import { expect, type Page } from '@playwright/test';
import type { AdminService } from '#contract/catalogue.ts';
import type { NewService } from '#contract/catalogue-edits.ts';
import { choose } from './branch.ts';
import { type Caller, callAs, callAsAdministrator, fileTickets } from './caller.ts';
import { anyPhone, type Fed, makeReference, openAccount, sms } from './incoming.ts';
import type { Person } from './people.ts';
import type { Product } from './product.ts';
import { drillDown, enterAsAdministrator, enterAsGuest, enterBy, fillOrder, openTab } from './steps.ts';

type Visit = (name: string) => Promise<void>;

type Role = 'button' | 'checkbox' | 'link' | 'menuitem' | 'tab';

/**
 * `press` presses the first button, link or other thing of a name; `show` calls `visit` on a screen once its sign is
 * visible; `reach` shows the screen behind what it presses.
 */
function makeSteps(page: Page, visit: Visit) {
  const press = (pressed: string | RegExp, role: Role = 'button') =>
    page.getByRole(role, { name: pressed }).first().click();
  /** `show` of a dialog, which it closes. */
  const glance = async (name: string, sign: string | RegExp, pressed: string | RegExp, role?: Role) => {
    await reach(name, sign, pressed, role);
    await page.keyboard.press('Escape');
  };
  const show = async (name: string, sign: string | RegExp) => {
    await expect(page.getByText(sign).locator('visible=true').first()).toBeVisible();
    await visit(name);
  };
  const reach = async (name: string, sign: string | RegExp, pressed: string | RegExp, role?: Role) => {
    await press(pressed, role);
    await show(name, sign);
  };
  return { press, show, reach, glance };
}

/** Visits every screen before a sign-in and of a guest with `visit`. */
async function visitAsGuest(page: Page, product: Product, visit: Visit): Promise<void> {
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
    ['resetPasswordPhone', '+22670123492', '/forgot-password-otp', 'code-sms-mot-de-passe', 'Renvoyer le code'],
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

/** Names of the length that is common in French. */
const longNames = {
  family: 'Abonnements et réabonnements de télévision',
  service: 'Abonnement annuel à la fibre pour une famille',
};
/** Numbers of ten digits, of Côte d'Ivoire and of Bénin. */
const longPhones = ['+2250707278152', '+2290197123456'] as const;

interface LongService {
  family: AdminService;
  service: AdminService;
  /** Orders the service for the last of `longPhones`; returns the ticket's id. */
  order: (caller: Caller) => Promise<number>;
}

/** Walks in a shop that also sells a service of long names for 1 246 813 FCFA, and that people can write to. */
async function withLongService(product: Product, walk: (made: LongService) => Promise<void>): Promise<void> {
  const admin = await callAsAdministrator(product);
  const create = async (fields: Partial<NewService>) =>
    (await admin.sendForm('POST', '/api/services', fields)) as AdminService;
  const family = await create({ name: longNames.family });
  const service = await create({
    name: longNames.service,
    parentId: family.id,
    isFinalLevel: true,
    price: '1 246 813 FCFA',
    phoneNumber: '*144*4*6*{montant}#',
  });
  const order = async (caller: Caller) => {
    const ticket = await caller.send('POST', '/api/tickets', {
      userId: caller.userId,
      serviceId: service.id,
      servicePath: [family, service].map(({ id }) => ({ id })),
      beneficiaryPhoneNumber: longPhones[1],
      paymentTypeName: 'Orange Money',
      totalPrice: '1246813',
      status: 'pending',
    });
    return (ticket as { id: number }).id;
  };
  await admin.send('PUT', '/api/admin/contact', { whatsapp: longPhones[0], phone: longPhones[1], email: null });
  try {
    await walk({ family, service, order });
  } finally {
    await admin.send('PUT', '/api/admin/contact', { whatsapp: null, phone: null, email: null });
    for (const { id } of [service, family]) await admin.send('DELETE', `/api/admin/services/${id}`);
  }
}

/** Visits every screen of a new person with `visit`. */
const visitAsPerson: Tour['walk'] = (page, product, person, visit) =>
  withLongService(product, (made) => visitOwnScreens(page, product, person, visit, made));

async function visitOwnScreens(
  page: Page,
  product: Product,
  person: Person,
  visit: Visit,
  { order }: LongService,
): Promise<void> {
  const { press, show, reach, glance } = makeSteps(page, visit);
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
  await press('Orange');
  await reach('services-finals', 'Forfait internet 7 jours', 'Forfaits internet');
  await drillDown(page, ['Forfait internet 7 jours']);
  await show('recapitulatif', 'Total à payer');
  await fillOrder(page, { beneficiary: '+226 76 12 34 56', total: /^1.050\sFCFA$/ });
  await show('recapitulatif-rempli', 'Total à payer');
  await reach('demande-creee', 'Retour à l', 'Confirmer la demande');
  await reach('accueil-demande-en-attente', 'Nos Services', "Retour à l'accueil");
  await fileTickets(caller, 1, [longPhones[0]]);
  const longTicket = await order(caller);
  await caller.send('PUT', `/api/beneficiaries/${longPhones[0]}`, { name: 'Grand-mère Aminata Sawadogo' });
  await press('Tickets', 'link');
  await expect(page.getByText(longNames.service).first()).toBeVisible();
  await show('tickets', "J'ai payé");
  await press('Accueil', 'link');
  await show('accueil-demandes-en-attente', longNames.service);
  await page.goto(`${product.url}/ticket/${longTicket}`);
  await show('ticket', 'Historique');
  await glance('code-ne-marche-pas', 'Code invalide', 'Ce code ne marche pas');
  await glance('contact', 'WhatsApp', 'Nous contacter');
  await press(/^J'ai payé/);
  await page.getByLabel(/^Collez le SMS ou la référence/).fill('PPA40512.1234.A12345');
  await show('paiement', 'Déclarer le paiement');
  await reach('ticket-paye', 'Paiement déclaré', 'Déclarer le paiement');
  await reach('parametres', 'À propos', 'Paramètres', 'link');
  for (const [entry, name, sign] of [
    ['Profil', 'profil', 'Le numéro ne change pas'],
    ['Bénéficiaires', 'beneficiaires', 'Grand-mère Aminata Sawadogo'],
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
  await reach('notification', 'Nous contacter', /a été rejetée/, 'link');
  await page.goto(`${product.url}/ticket/${longTicket}`);
  await show('ticket-decide', 'Motif :');
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

/**
 * Declares a ticket of 5 100 FCFA paid, and sends a new account the SMS of its payment, of another one of that amount, of one
 * that nobody asked for, and one that cannot be read.
 */
async function sendPayments(product: Product, caller: Caller, ticketId: number, { phone }: Person): Promise<Fed> {
  const reference = makeReference();
  await caller.send('POST', `/api/tickets/${ticketId}/payment-declaration`, { reference });
  const account = await openAccount(product);
  await account.forwardConfirmed(10_000);
  await account.forward(sms({ gross: '5100.00', payer: phone, balance: '15100.00', reference }));
  const tell = (gross: string, balance: string) =>
    account.forward(sms({ gross, payer: anyPhone(), balance, reference: makeReference() }));
  await tell('5100.00', '20200.00');
  await tell('1246813.00', '1267013.00');
  await account.forward(
    'Encaissement 1 246 813 FCFA de AWA EXEMPLE (0707278152). Nouveau solde: 2 513 826 FCFA. Txn ID: CI261128.0911.C00011',
  );
  return account;
}

/** Visits the panel's screens of tickets and users with `visit`; a new person files the tickets that are decided there. */
const visitDesk: Tour['walk'] = (page, product, person, visit) =>
  withLongService(product, async ({ order }) => {
    const { press, show, reach, glance } = makeSteps(page, visit);
    const caller = await callAs(product, person);
    const [paid] = await fileTickets(caller, 4, [anyPhone(), ...longPhones]);
    await sendPayments(product, caller, paid as number, person);
    await order(caller);
    await enterAsAdministrator(page, product);
    await show('admin-tableau-de-bord', 'Répartition');
    await openTab(page, 'Tickets');
    await show('admin-tickets', 'Exporter Excel');
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
    const choices = page.getByRole('checkbox', { name: /^Choisir le ticket/ });
    for (const place of [0, 1]) await choices.nth(place).check();
    const bar = page.getByRole('region', { name: 'Tickets sélectionnés' });
    await show('admin-choix', '2 sélectionnés');
    await bar.getByRole('button', { name: 'Rejeter' }).click();
    await show('admin-rejet-de-plusieurs', 'Motif (facultatif)');
    await page.keyboard.press('Escape');
    await bar.getByRole('button', { name: 'Approuver' }).click();
    await show('admin-approbation-de-plusieurs', 'Chaque personne en est avertie.');
    await page.keyboard.press('Escape');
    await bar.getByRole('button', { name: 'Désélectionner' }).click();
    await reach('admin-file', 'attend depuis', /^File d'attente/, 'link');
    await press(/^Tableau$/, 'link');
    await openTab(page, 'Utilisateurs');
    await show('admin-utilisateurs', /utilisateurs?$/);
    const actions = `Actions pour ${person.firstName} ${person.lastName}`;
    await glance('admin-utilisateur-actions', /^Supprimer/, actions);
    for (const [action, name, sign] of [
      ['Réinitialiser le mot de passe', 'admin-utilisateur-mot-de-passe', 'Nouveau mot de passe'],
      ['Désactiver', 'admin-utilisateur-desactive', /^Désactiver .*\?$/],
      ['Supprimer définitivement', 'admin-utilisateur-supprime', "C'est irréversible."],
    ] as const) {
      await press(actions);
      await glance(name, sign, action, 'menuitem');
    }
    await page.locator('[data-row] a').first().click();
    await show('admin-utilisateur', 'Fermer');
  });

/** Visits the panel's screens of the shop with `visit`: services, payments, pages and settings. */
const visitShop: Tour['walk'] = (page, product, person, visit) =>
  withLongService(product, async ({ family, service }) => {
    const { press, show, reach, glance } = makeSteps(page, visit);
    const caller = await callAs(product, person);
    const [paid, unpaid] = await fileTickets(caller, 3);
    const { label, accountId } = await sendPayments(product, caller, paid as number, person);
    await caller.send('POST', `/api/tickets/${unpaid}/payment-declaration`, { reference: makeReference() });
    await enterAsAdministrator(page, product, '/admin/services');
    const tree = page.getByRole('list', { name: 'Services' });
    for (const name of [/^Télécom et mobile/, /^Burkina Faso/, new RegExp(`^${family.name}`)])
      await tree.getByRole('button', { name }).first().click();
    await show('admin-services', 'Gestion Hiérarchique des Services');
    await press('Nouveau Service');
    await page.getByLabel('Nom du service').fill('Forfait internet 30 jours');
    await page.getByLabel('Service final').check();
    await page.getByLabel('Type de commission').selectOption('Par tranches');
    await press('Ajouter une tranche');
    await show('admin-service-nouveau', 'Type de commission');
    await page.getByRole('button', { name: 'Annuler' }).last().click();
    await show('admin-service-abandon', 'Abandonner vos modifications ?');
    await page.getByRole('dialog').getByRole('button', { name: 'Abandonner' }).click();
    for (const [action, name, sign] of [
      ['Modifier', 'admin-service', 'Modifier le service'],
      ['Déplacer', 'admin-service-deplace', 'Changer de parent'],
      ['Supprimer', 'admin-service-supprime', "C'est irréversible."],
    ] as const) {
      await choose(page, service, action);
      await show(name, sign);
      await page.keyboard.press('Escape');
    }
    await glance('admin-catalogue-fichier', 'Importer un catalogue', 'Importer, exporter');
    await openTab(page, 'Paiements');
    await show('admin-paiements', 'Orange Money');
    await glance('admin-paiement-nouveau', /^Opérateur/, 'Nouveau type de paiement');
    await glance('admin-paiement-supprime', /ne sera plus proposé/, 'Supprimer Orange Money');
    await press('Codes Orange Money');
    await page
      .getByRole('button', { name: /le code d'Orange Money/ })
      .first()
      .waitFor();
    await show('admin-codes', 'Essayez-le vous-même');
    await glance('admin-code', /^Repères/, /le code d'Orange Money/);
    await page.keyboard.press('Escape');
    await reach('admin-encaissements', /^Approuver \d+\spaiement/, 'Encaissements', 'link');
    await reach('admin-a-regarder', 'À regarder', /^À regarder/, 'link');
    await reach('admin-sans-demande', '700 FCFA', /^Sans demande/, 'link');
    await glance('admin-relier', 'Numéro du ticket', /^Relier à un ticket/);
    await reach('admin-sans-paiement', 'Sans paiement', /^Sans paiement/, 'link');
    await reach('admin-non-lus', 'AWA EXEMPLE', /^Messages non lus/, 'link');
    await glance('admin-paiement-note', 'Montant payé (FCFA)', /^C'est un paiement/);
    await reach('admin-tous-les-paiements', 'Rechercher un paiement', /^Tous les paiements/, 'link');
    await press('Coller un SMS');
    await page.getByRole('dialog').getByLabel('Compte', { exact: true }).selectOption(String(accountId));
    await page
      .getByLabel('Un ou plusieurs SMS')
      .fill(sms({ gross: '1246813.00', payer: anyPhone(), balance: '2513826.00', reference: makeReference() }));
    await press('Lire');
    await show('admin-sms-colle', /^Garder$/);
    await page.keyboard.press('Escape');
    await glance('admin-releve', 'Fichier du relevé', 'Importer un relevé');
    await reach('admin-cloture', 'Imprimer', /^Clôture$/, 'link');
    const day = new Date().toISOString().slice(0, 10);
    await page.goto(`${product.url}/admin/payments?section=encaissements&vue=cloture&compte=${accountId}&jour=${day}`);
    await show('admin-cloture-du-jour', "La journée n'est pas finie.");
    await reach('admin-comptes', label, /^Comptes$/, 'link');
    await glance('admin-compte-nouveau', 'Numéro ou code marchand', 'Nouveau compte');
    await press(`Actions sur le compte ${label}`);
    await glance('admin-compte-modifie', 'Expéditeurs des SMS (facultatif)', 'Modifier', 'menuitem');
    await press(new RegExp(`^Actions sur (?!le compte).*, ${label}$`));
    await glance('admin-source-supprimee', /ne donnera plus de paiements/, 'Supprimer', 'menuitem');
    await press(`Actions sur le compte ${label}`);
    await press('Relier un téléphone', 'menuitem');
    await show('admin-telephone', 'Application');
    await page.getByRole('textbox', { name: 'Nom du téléphone' }).fill('Téléphone de la caisse');
    await page.getByRole('dialog').getByRole('button', { name: 'Créer une adresse' }).click();
    await show('admin-telephone-adresse', /copiez avant de fermer/);
    // It asks before what is shown once goes.
    await page.keyboard.press('Escape');
    await show('admin-telephone-non-copie', /^Fermer sans avoir copié/);
    await press('Fermer quand même');
    await openTab(page, 'Contenu');
    await show('admin-contenu', '/conditions-utilisation');
    await glance('admin-page-supprimee', /sera supprimée définitivement/, /^Supprimer la page/);
    await glance('admin-page-nouvelle', 'Aperçu', 'Nouvelle Page');
    await openTab(page, 'Paramètres');
    await show('admin-parametres', 'Opacité');
    await reach('admin-contact', 'WhatsApp', /^Contact$/, 'link');
    await reach('admin-motifs', 'Paiement introuvable.', 'Motifs de rejet', 'link');
    await reach('admin-sms', 'Passerelles', /^SMS$/, 'link');
    await reach('admin-sauvegardes', 'Dernière sauvegarde', 'Sauvegardes', 'link');
    await reach('admin-journal', 'Affichage de', "Journal d'audit", 'link');
    await reach('admin-compte', 'Mot de passe actuel', 'Mon compte', 'link');
  });

interface Tour {
  whose: string;
  /** At least so many. */
  screens: number;
  isPanel: boolean;
  /** Visits with a new person, whose phone for the panel is of Burkina Faso. */
  walk: (page: Page, product: Product, person: Person, visit: Visit) => Promise<void>;
}

/** All screens and dialogs, for those that look at each. */
export const tours: Tour[] = [
  {
    whose: 'a guest',
    screens: 13,
    isPanel: false,
    walk: (page, product, _, visit) => visitAsGuest(page, product, visit),
  },
  { whose: 'a person', screens: 28, isPanel: false, walk: visitAsPerson },
  { whose: 'an administrator at the desk', screens: 14, isPanel: true, walk: visitDesk },
  { whose: 'an administrator of the shop', screens: 38, isPanel: true, walk: visitShop },
];
