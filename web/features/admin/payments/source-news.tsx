import type { PaymentAccount, PaymentSource } from '#contract/payment-feed.ts';
import { formatRelative } from '#web/text/formats.ts';
import { useNow } from '#web/ui/use-now.ts';

interface Props {
  accounts: readonly PaymentAccount[];
}

/** Which sources are silent. */
export function SilentSources({ accounts }: Props) {
  const now = useNow();
  return (
    <p
      role="status"
      className="mb-1 rounded-xl bg-amber-pale px-3.5 py-2 font-semibold text-amber text-sm empty:hidden"
    >
      {heardFrom(accounts)
        .filter(({ isSilent }) => isSilent)
        .map((source) => `${nameOf(source)} ne donne plus de nouvelles\u00a0: ${heardAgo(source, now)}.`)
        .join(' ')}
    </p>
  );
}

/** When one was last heard of, unless one is silent. */
export function LastHeard({ accounts }: Props) {
  const now = useNow();
  const heard = heardFrom(accounts);
  const [last] = heard;
  if (!last || heard.some(({ isSilent }) => isSilent)) return null;
  return <p className="mt-3 text-soft text-sm">{`${nameOf(last)}\u00a0: dernier message ${heardAgo(last, now)}`}</p>;
}

/** The sources that gave something, the latest first. */
const heardFrom = (accounts: Props['accounts']) =>
  accounts
    .flatMap(({ label, sources }) => sources.map((source) => ({ label, ...source })))
    .filter(({ lastSeenAt }) => lastSeenAt !== null)
    .sort((a, b) => Date.parse(b.lastSeenAt ?? '') - Date.parse(a.lastSeenAt ?? ''));

const kindNames: Record<PaymentSource['kind'], string> = { sms: 'Téléphone', wave: 'Wave' };

const nameOf = ({ kind, label }: Pick<PaymentSource, 'kind'> & { label: string }) =>
  `${kindNames[kind]} «\u00a0${label}\u00a0»`;

/** 'il y a 2 min', or 'jamais'. */
export const heardAgo = ({ lastSeenAt }: Pick<PaymentSource, 'lastSeenAt'>, now: number): string =>
  lastSeenAt ? formatRelative(lastSeenAt, now) : 'jamais';
