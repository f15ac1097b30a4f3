import { readUser } from '#contract/accounts.ts';
import type { User } from '#contract/users.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { formatCount } from '#web/text/formats.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { useChangeUser } from './use-change-user.ts';
import type { Asked } from './use-user-actions.ts';
import { userName } from './user-facts.tsx';

interface Props {
  user: User;
  onClose: () => void;
  onDeleted?: (() => void) | undefined;
}

/** Confirms a change of an account and names its consequences. */
export function ActionDialog({ action, ...props }: Props & { action: Asked['action'] }) {
  switch (action) {
    case 'reset-password':
      return <PasswordDialog {...props} />;
    case 'deactivate':
      return <DeactivateDialog {...props} />;
    case 'delete':
      return <DeleteDialog {...props} />;
    default:
      return <RoleDialog isAdmin={action === 'promote'} {...props} />;
  }
}

function DeactivateDialog({ user, onClose }: Props) {
  const change = useChangeUser();
  return (
    <ConfirmDialog
      title={`Désactiver ${userName(user)}\u00a0?`}
      confirm="Désactiver"
      onConfirm={async () => {
        if (await change.deactivate(user)) onClose();
      }}
      onClose={onClose}
    >
      <p>Cette personne sera déconnectée de tous ses appareils.</p>
      <p>Elle ne pourra plus se connecter tant que son compte n’aura pas été réactivé. Ses tickets restent.</p>
    </ConfirmDialog>
  );
}

function DeleteDialog({ user, onClose, onDeleted }: Props) {
  const change = useChangeUser();
  const { data } = useEndpoint(readUser, { params: { id: String(user.id) } }, { freshForMs: 0 });
  return (
    <ConfirmDialog
      title={`Supprimer ${userName(user)}\u00a0?`}
      confirm="Supprimer définitivement"
      onConfirm={async () => {
        if (!(await change.remove(user))) return;
        onClose();
        onDeleted?.();
      }}
      onClose={onClose}
    >
      <p>
        Le compte sera supprimé définitivement. <strong>C’est irréversible.</strong>
      </p>
      <p>{ticketSentence(data?.tickets)}</p>
    </ConfirmDialog>
  );
}

function ticketSentence(tickets: number | undefined): string {
  if (tickets === 0) return 'Cette personne n’a aucun ticket.';
  if (tickets === 1) return 'Son ticket reste, au nom d’«\u00a0Utilisateur inconnu\u00a0».';
  return `Ses ${tickets === undefined ? '' : `${formatCount(tickets)} `}tickets restent, au nom d’«\u00a0Utilisateur inconnu\u00a0».`;
}

function RoleDialog({ user, isAdmin, onClose }: Props & { isAdmin: boolean }) {
  const change = useChangeUser();
  return (
    <ConfirmDialog
      title={isAdmin ? `Nommer ${userName(user)} administrateur\u00a0?` : `Retirer le rôle de ${userName(user)}\u00a0?`}
      confirm={isAdmin ? 'Nommer administrateur' : 'Retirer le rôle'}
      onConfirm={async () => {
        if (await change.setAdministrator(user, isAdmin)) onClose();
      }}
      onClose={onClose}
    >
      {isAdmin ? (
        <p>
          Cette personne pourra tout faire dans ce panneau&nbsp;: approuver et rejeter les tickets, modifier le
          catalogue, les utilisateurs, les types de paiement, les pages et les paramètres.
        </p>
      ) : (
        <p>Cette personne n’aura plus accès à ce panneau. Son compte reste ouvert, comme celui de tout utilisateur.</p>
      )}
      <p>Ses sessions prendront fin&nbsp;: elle devra se reconnecter.</p>
    </ConfirmDialog>
  );
}
