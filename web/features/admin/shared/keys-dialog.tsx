import type { ReactNode } from 'react';
import { Dialog } from '#web/ui/dialog.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { CloseFoot } from './confirm-dialog.tsx';
import { Key } from './keys.tsx';

/** The keys of the panel. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Raccourcis clavier" onClose={onClose}>
      <div className="mt-4 flex flex-col gap-4">
        <Keys title="Partout">
          <Press name="Rechercher">/</Press>
          <Press name="Tickets">G T</Press>
          <Press name="File d'attente">G Q</Press>
          <Press name="Paiements">G P</Press>
          <Press name="Annuler la dernière décision">Z</Press>
          <Press name="Cette liste">?</Press>
        </Keys>
        <Keys title="File d'attente">
          <Press name="Approuver">A</Press>
          <Press name="Rejeter, avec un motif">R 1–9</Press>
          <Press name="Rejeter, sans motif">R 0</Press>
          <Press name="Rejeter, autre motif">R M</Press>
        </Keys>
        <Keys title="File d'attente et ticket ouvert">
          <Press name="Ticket suivant">J</Press>
          <Press name="Ticket précédent">K</Press>
        </Keys>
      </div>
      <CloseFoot onClose={onClose} />
    </Dialog>
  );
}

function Keys({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 font-semibold">{title}</h3>
      <Facts>{children}</Facts>
    </section>
  );
}

/** One key, or several in turn. */
function Press({ name, children }: { name: string; children: string }) {
  const keys = children.split(' ');
  return (
    <Fact name={name}>
      <span className="flex gap-1">
        {keys.map((key) => (
          <Key key={key}>{key}</Key>
        ))}
      </span>
      <span className="sr-only">{keys.join(' puis ')}</span>
    </Fact>
  );
}
