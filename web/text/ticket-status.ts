/** The label and colour of each status; unknown ones are shown as pending. */
const labels = {
  pending: { label: 'En attente', tone: 'amber' },
  approved: { label: 'Approuvé', tone: 'green' },
  rejected: { label: 'Rejeté', tone: 'red' },
} as const;

export function ticketStatusLabel(status: string): (typeof labels)[keyof typeof labels] {
  return Object.hasOwn(labels, status) ? labels[status as keyof typeof labels] : labels.pending;
}
