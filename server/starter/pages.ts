/** The two pages the sign-up screen links to. The operator completes what is theirs: its name, address and contacts. */
export const starterPages = [
  {
    slug: 'conditions-utilisation',
    title: "Conditions d'utilisation",
    content: `Ces conditions règlent l'usage de Guichet, un service qui vous aide à faire une demande (transfert d'argent, recharge, facture, épargne) et vous donne le code à composer pour la payer. En créant un compte ou en continuant en tant qu'invité, vous les acceptez.

## 1. Ce que fait Guichet
Guichet présente un catalogue de services, enregistre votre demande sous un numéro de ticket et affiche un code à composer sur votre téléphone. Le paiement se fait chez votre opérateur, avec votre propre compte. Guichet ne reçoit jamais votre code secret et ne vous le demandera jamais.

## 2. Votre compte
Vous vous inscrivez avec un numéro de téléphone mobile de l'un des sept pays servis, confirmé par un code reçu par SMS. Un numéro correspond à un seul compte. Vous gardez votre mot de passe pour vous et vous nous prévenez si vous pensez que quelqu'un d'autre utilise votre compte. Un invité peut parcourir le catalogue ; pour faire une demande, il faut un compte vérifié.

## 3. Prix et commission
Tous les montants sont en francs CFA, sans décimales. Avant de confirmer, vous voyez le prix du service, la commission de Guichet et le total à payer. Le total confirmé est celui de votre ticket. Votre opérateur peut ajouter ses propres frais et les taxes de votre pays : ils ne dépendent pas de Guichet.

## 4. Le numéro du bénéficiaire
Vous êtes responsable du numéro que vous saisissez. Relisez-le avant de confirmer et avant de composer le code : un paiement envoyé à un mauvais numéro ne peut souvent pas être repris.

## 5. Suivi des demandes
Une demande commence « En attente ». Un administrateur la vérifie puis l'approuve ou la rejette, avec un motif s'il y a lieu. Vous êtes prévenu sur la page Notifications. Composer le code ne vaut pas approbation.

## 6. Ce qui est interdit
Il est interdit d'utiliser le numéro d'une autre personne sans son accord, de tenter de deviner des codes, de perturber le service ou de s'en servir pour une opération illégale. Nous pouvons suspendre un compte dans ces cas.

## 7. Disponibilité et responsabilité
Nous faisons de notre mieux pour que le service soit disponible, sans pouvoir le garantir : les réseaux mobiles et les services des opérateurs peuvent être interrompus. Guichet répond de l'enregistrement de vos demandes ; l'opérateur répond de l'exécution des paiements.

## 8. Réclamations
Pour toute question sur une demande, indiquez son numéro de ticket au support, dans les trente jours. Conservez le SMS de confirmation de votre opérateur : il sert de preuve.

## 9. Modification et droit applicable
Ces conditions peuvent changer ; la date de la dernière modification est celle de cette page. Elles suivent le droit du pays de votre numéro de téléphone, et les textes de l'UEMOA sur les services de paiement.`,
  },
  {
    slug: 'politique-confidentialite',
    title: 'Politique de confidentialité',
    content: `Cette page dit quelles données Guichet garde sur vous, pourquoi, combien de temps, et quels sont vos droits.

## 1. Les données que nous gardons
### Votre compte
Prénom, nom, numéro de téléphone, pays et, si vous la donnez, adresse e-mail. Votre mot de passe est gardé sous une forme qui ne permet pas de le retrouver.
### Vos demandes
Le service choisi, le prix, la commission, le numéro du bénéficiaire, le type de paiement, le code à composer, les dates et les décisions prises.
### La sécurité
Les codes envoyés par SMS (sous forme chiffrée, effacés après usage), les connexions, et l'adresse IP des actions sensibles.

## 2. Pourquoi nous les gardons
Pour traiter vos demandes, vous prévenir de leur suite, protéger votre compte contre la fraude et répondre aux obligations légales de l'opérateur. Nous ne vendons aucune donnée et n'affichons aucune publicité.

## 3. Qui peut les voir
Vous, et les administrateurs qui traitent les demandes. L'opérateur d'envoi de SMS reçoit votre numéro et le texte du message, rien d'autre. Le numéro de votre bénéficiaire ne sert qu'à votre demande.

## 4. Combien de temps
Un compte est gardé tant qu'il est utilisé ; à votre demande, il est supprimé. Les demandes sont gardées le temps exigé par la loi pour les opérations financières, sans votre nom si votre compte a été supprimé. Une session d'invité est effacée sept jours après sa dernière utilisation.

## 5. Sur votre téléphone
Guichet dépose un cookie indispensable pour vous reconnaître et garde sur votre appareil quelques informations d'affichage. Il n'utilise aucun traceur. Si vous demandez à être prévenu sur votre téléphone, nous gardons l'adresse que donne le service de notifications de votre navigateur, jusqu'à ce que vous arrêtiez ou vous déconnectiez ; ce service ne peut pas lire les messages.

## 6. Vos droits
Vous pouvez demander à consulter, corriger ou supprimer vos données, ou vous opposer à leur usage, en écrivant au support depuis le numéro de votre compte. Vous pouvez aussi saisir l'autorité de protection des données de votre pays : CIL (Burkina Faso), ARTCI (Côte d'Ivoire), APDP (Mali et Bénin), HAPDP (Niger), IPDCP (Togo) ou CDP (Sénégal).

## 7. Sécurité
Les échanges sont chiffrés, l'accès des administrateurs est limité et enregistré. Ne communiquez jamais à personne le code reçu par SMS ni le code secret de votre portefeuille mobile : aucun agent ne vous les demandera.`,
  },
];
