/**
 * The SMS that tells a person what became of their ticket: one message, every character of the GSM-7 alphabet. Whoever holds
 * the phone reads it: no name, no amount, no service, no reason.
 */
export function decisionText({ id, status }: { id: number; status: 'approved' | 'rejected' }): string {
  const verb = status === 'approved' ? 'a été approuvée' : 'a été rejetée';
  return `Guichet : votre demande numéro ${id} ${verb}. Ouvrez Guichet pour voir le détail.`;
}
