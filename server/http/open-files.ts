import { CannotStart } from '#server/process/cannot-start.ts';
import { httpLimits } from '#server/process/limits.ts';

/** How many files this process may have open; Node raises its soft limit to the hard one. */
function openFilesAtMost(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  const { soft } = userLimits?.open_files ?? { soft: 'unlimited' };
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : soft;
}

/** Connections that leave the process the files it needs itself. Throws CannotStart where they are too few. */
export function connectionsAllowed(files = openFilesAtMost()): number {
  const { connections, otherFiles, filesPerConnection, fewestConnections } = httpLimits;
  const allowed = Math.min(connections, Math.floor((files - otherFiles) / filesPerConnection));
  if (allowed >= fewestConnections) return allowed;
  throw new CannotStart(
    `Ce processus ne peut ouvrir que ${files} fichiers à la fois, et Guichet en demande au moins ${otherFiles + filesPerConnection * fewestConnections} : relevez cette limite (ulimit -n, ou LimitNOFILE de systemd).`,
  );
}
