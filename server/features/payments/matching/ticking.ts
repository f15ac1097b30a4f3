import { provenFrom } from '#contract/payment-shapes.ts';
import type { Balances } from '#server/features/payments/intake/balances.ts';
import type { OpenLine, Pairing } from './matching.ts';

/** Why a sure pair is not ticked in advance; undefined if it is ticked. */
export function untickedBy({ rule }: Pick<Pairing, 'rule'>, line: OpenLine, balances: Balances): string | undefined {
  if (line.isSettled) return undefined;
  if (rule !== 'R0' && rule !== 'R1') return 'SMS seul : ni référence déclarée, ni numéro de demande.';
  if (!line.senderMay) return "Message collé ou saisi : rien de l'opérateur ne le confirme.";
  const confirmed = line.shapeConfirmed ?? provenFrom;
  if (confirmed < provenFrom)
    return `Forme apprise\u00a0: ${confirmed} ${confirmed < 2 ? 'message confirmé' : 'messages confirmés'} sur ${provenFrom}.`;
  if (line.balanceAfter === null) return 'SMS seul : il ne dit pas de solde.';
  if (!balances.followed.has(line.id)) return 'SMS seul : le solde ne suit pas un paiement confirmé.';
  if (balances.broken.has(line.accountId)) return 'Le solde de ce compte ne suit pas : un SMS manque ou est faux.';
  return undefined;
}
