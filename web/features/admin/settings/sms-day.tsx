import { findCountry } from '#contract/phone.ts';
import type { SmsState } from '#contract/sms.ts';
import { formatCount } from '#web/text/formats.ts';
import { Card } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';

/** Today's counts, each as a share of its cap. */
export function SmsDay({ today: { all, countries } }: { today: SmsState['today'] }) {
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h2 className="font-bold text-lg">Aujourd’hui</h2>
        <p className="text-soft">SMS mis en route depuis minuit (UTC), et combien peuvent l’être.</p>
      </div>
      <ul className="flex flex-col gap-3">
        <Count name="Tous les pays" main {...all} />
        {countries.map(({ countryCode, queued, cap }) => (
          <Count key={countryCode} name={countryName(countryCode)} queued={queued} cap={cap} />
        ))}
      </ul>
    </Card>
  );
}

const countryName = (code: string) => `${findCountry(code)?.name ?? ''} (${code})`;

function Count({ name, queued, cap, main }: { name: string; queued: number; cap: number; main?: boolean }) {
  const share = cap > 0 ? Math.min(100, (100 * queued) / cap) : queued > 0 ? 100 : 0;
  const isFull = queued >= cap;
  const colour = isFull ? 'fill-brick' : share >= 50 ? 'fill-[#d98a1f]' : 'fill-leaf';
  return (
    <li className={main ? 'border-line border-b pb-3 font-semibold' : undefined}>
      <div className="flex flex-wrap justify-between gap-x-3">
        <span>{name}</span>
        <span className="ml-auto tabular-nums">
          {isFull && <span className="font-semibold text-brick">Plafond atteint · </span>}
          {formatCount(queued)} sur {formatCount(cap)}
        </span>
      </div>
      <svg className="mt-1 block h-2 w-full" aria-hidden="true">
        <rect width="100%" height="100%" rx="4" className="fill-line/60 forced-colors:fill-none" />
        <rect
          width={`${share > 0 ? Math.max(share, 2) : 0}%`}
          height="100%"
          rx="4"
          className={join(colour, 'forced-colors:fill-[CanvasText]')}
        />
      </svg>
    </li>
  );
}
