import type { User } from '#contract/users.ts';

export type UserAction = 'reset-password' | 'activate' | 'deactivate' | 'promote' | 'demote' | 'delete';

export const actionLabels: Record<UserAction, string> = {
  'reset-password': 'Réinitialiser le mot de passe',
  activate: 'Activer',
  deactivate: 'Désactiver',
  promote: 'Nommer administrateur',
  demote: 'Retirer le rôle d’administrateur',
  delete: 'Supprimer définitivement',
};

/** The actions offered for an account: none that the server would refuse to this administrator. */
export function actionsFor(
  user: Pick<User, 'id' | 'isAdmin' | 'isGuest' | 'isVerified'>,
  callerId: number | undefined,
): UserAction[] {
  const { isAdmin, isGuest, isVerified } = user;
  if (user.id === callerId) return ['reset-password'];
  if (isAdmin) return ['demote'];
  if (isGuest) return ['delete'];
  return isVerified ? ['reset-password', 'deactivate', 'promote', 'delete'] : ['reset-password', 'activate', 'delete'];
}
