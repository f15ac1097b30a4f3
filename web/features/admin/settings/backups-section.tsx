import { type BackupState, readBackups } from '#contract/backups.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { formatDate, formatMegabytes, formatRelative } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { SectionCard } from './saved-section.tsx';

export function BackupsSection() {
  const query = useEndpoint(readBackups, {}, { pollEveryMs: pollEveryMs.adminBackups });
  return (
    <QueryState query={query} loading="Chargement des sauvegardes..." failure="Impossible de charger les sauvegardes.">
      {(state) => <LastBackup state={state} />}
    </QueryState>
  );
}

function LastBackup({ state: { last, failure, isScheduled } }: { state: BackupState }) {
  const now = useNow();
  return (
    <SectionCard
      title="Sauvegardes"
      about="Toute la base de données, dans un fichier sur le serveur."
      className="gap-3"
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-soft">Dernière sauvegarde</span>
        {last ? (
          <time dateTime={last.finishedAt} title={formatDate(last.finishedAt)} className="font-semibold">
            {formatRelative(last.finishedAt, now)}
          </time>
        ) : (
          <Badge tone="amber">Aucune</Badge>
        )}
        {last && <span>{sizeOf(last.bytes)}</span>}
        {failure && <Badge tone="red">{`Échec, ${formatRelative(failure.finishedAt, now)}`}</Badge>}
      </p>
      {failure && (
        <p role="status" className="wrap-anywhere text-brick">
          {failure.sentence}
        </p>
      )}
      {!isScheduled && (
        <p className="text-soft">
          Aucune n'est planifiée. Demandez à la personne qui tient le serveur d'en faire une chaque jour.
        </p>
      )}
    </SectionCard>
  );
}

/** A new installation's backup is below a tenth of a megabyte. */
const sizeOf = (bytes: number) => (bytes < 100_000 ? 'moins de 0,1 Mo' : formatMegabytes(bytes));
