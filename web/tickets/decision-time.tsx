import { readDecisionTime } from '#contract/tickets.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { formatDate } from '#web/text/formats.ts';
import { formatMoment, formatUsualTime, formatWait } from '#web/text/waiting.ts';
import { useNow } from '#web/ui/use-now.ts';

/** The usual seconds to a decision; a screen before the one that shows them asks too, so that nothing moves there. */
export const useDecisionTime = (): number | null | undefined =>
  useEndpoint(readDecisionTime, {}, { keep: true, freshForMs: freshForMs.decisionTime }).data?.seconds;

/** 'Vérifié en général en 12 min.', after what it follows, or nothing where there is no usual time. */
export function UsualTime({ after }: { after?: string }) {
  const seconds = useDecisionTime();
  if (typeof seconds !== 'number') return null;
  return (
    <span>
      {after}
      <span className="inline-block">{`Vérifié en général ${formatUsualTime(seconds)}.`}</span>
    </span>
  );
}

/** 'Paiement déclaré à 16:49'. */
export function DeclaredSince({ instant }: { instant: string }) {
  return (
    <span>
      Paiement déclaré{' '}
      <time dateTime={instant} title={formatDate(instant)}>
        {formatMoment(instant, useNow())}
      </time>
    </span>
  );
}

/** 'depuis 5 min', by the clock. */
export function Since({ instant }: { instant: string }) {
  return (
    <span>
      depuis{' '}
      <time dateTime={instant} title={formatDate(instant)}>
        {formatWait(instant, useNow())}
      </time>
    </span>
  );
}
