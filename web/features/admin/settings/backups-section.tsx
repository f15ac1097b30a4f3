import { type BackupState, readBackups } from '#contract/backups.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { CopyBeside } from '#web/features/admin/shared/copy-beside.tsx';
import { formatDate, formatMegabytes, formatRelative } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { SectionCard, valuesBeside } from './saved-section.tsx';

export function BackupsSection() {
  const query = useEndpoint(readBackups, {}, { pollEveryMs: pollEveryMs.adminBackups });
  return (
    <QueryState query={query} loading="Chargement des sauvegardes..." failure="Impossible de charger les sauvegardes.">
      {(state) => <BackupsCard state={state} />}
    </QueryState>
  );
}

function BackupsCard({ state: { last, failure, schedule } }: { state: BackupState }) {
  const now = useNow();
  return (
    <SectionCard
      title="Sauvegardes"
      about="Toute la base de données et toutes les images, dans un fichier sur le serveur."
      className="gap-5"
    >
      {failure && (
        <div role="status" className="rounded-card border border-brick/30 bg-brick-pale p-3">
          <p className="font-semibold text-brick">{`La dernière tentative a échoué, ${formatRelative(failure.finishedAt, now)}`}</p>
          <p className="wrap-anywhere">{failure.sentence}</p>
        </div>
      )}
      <div className={join('max-w-154', valuesBeside)}>
        <Facts>
          <Fact name="Dernière sauvegarde">
            {last ? (
              <time dateTime={last.finishedAt} title={formatDate(last.finishedAt)} className="font-semibold">
                {formatRelative(last.finishedAt, now)}
              </time>
            ) : (
              <Badge tone="amber">Aucune</Badge>
            )}
          </Fact>
          {last && <Fact name="Taille">{sizeOf(last.bytes)}</Fact>}
          {schedule && (
            <>
              <Fact name="Chaque jour">{`à ${schedule.hour} h UTC`}</Fact>
              <Fact name="Dossier">
                <span className="wrap-anywhere">{schedule.folder}</span>
              </Fact>
              <Fact name="Gardées">{`les ${schedule.keep} dernières`}</Fact>
              <Fact name="Scellées par une phrase secrète">{schedule.sealed ? 'Oui' : 'Non'}</Fact>
            </>
          )}
        </Facts>
      </div>
      {!schedule && <HowToPlan />}
    </SectionCard>
  );
}

/** A new installation's backup is below a tenth of a megabyte. */
const sizeOf = (bytes: number) => (bytes < 100_000 ? 'moins de 0,1 Mo' : formatMegabytes(bytes));

const backupCommand = 'npm run guichet -- backup fichier.backup';

function HowToPlan() {
  return (
    <div className="flex flex-col gap-2 border-line border-t pt-4">
      <p className="font-semibold">Aucune sauvegarde n'est planifiée</p>
      <p>
        Pour une sauvegarde par jour, indiquez sur le serveur un dossier par le réglage <Typed>BACKUP_DIR</Typed>, puis
        redémarrez Guichet.
      </p>
      <p>Pour une sauvegarde tout de suite&nbsp;:</p>
      <p className="flex max-w-154 items-center justify-between gap-4 rounded-xl bg-ground px-3 py-3">
        <code className="text-sm">{backupCommand}</code> <CopyBeside text={backupCommand} of="la commande" />
      </p>
    </div>
  );
}

function Typed({ children }: { children: string }) {
  return <code className="wrap-anywhere rounded bg-ground px-1.5 py-0.5 text-sm">{children}</code>;
}
