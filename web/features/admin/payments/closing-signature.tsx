import { type Closing, type ClosingFigures, readClosing, signClosing } from '#contract/closings.ts';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import { useCall } from '#web/api/use-call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { formatCalendarDay, formatDate } from '#web/text/formats.ts';
import { Field } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { francs, ledgersOf } from './closing-figures.ts';

export const amberLook = 'border-amber bg-amber-pale text-amber';

export interface DayProps {
  account: PaymentAccount;
  day: string;
  closing: Closing;
  isOver: boolean;
}

/** Why a day is signed as it is: asked for before a signature, told after it. On paper an empty one is written by hand. */
export function Reason({
  name,
  label,
  given,
  isAsked,
  error,
}: {
  name: string;
  label: string;
  given: string | undefined;
  isAsked: boolean;
  error: string | undefined;
}) {
  if (isAsked)
    return <Field name={name} label={label} defaultValue={given} maxLength={200} error={error} autoComplete="off" />;
  return (
    <p>
      <span className="text-soft">{`${label}\u00a0: `}</span>
      <span className="wrap-anywhere">{given}</span>
    </p>
  );
}

/** Signs the day with the reasons that its form has. */
export function useSign({ account, day, closing, isOver }: DayProps) {
  const call = useCall();
  return useForm({
    read: (values) => {
      const gaps = closing.figures.gaps.map(({ after }) => ({
        lineId: after.id,
        reason: values[`reasons.gaps.${after.id}`] ?? '',
      }));
      return { data: { gaps, ...(!isOver && { unfinished: values['reasons.unfinished'] ?? '' }) } };
    },
    send: async (reasons) => {
      await call(signClosing, { body: { accountId: account.id, day, digest: closing.digest, reasons } });
      return { title: 'Journée signée', description: `${account.label}, ${formatCalendarDay(day).long}.` };
    },
    failure: { fallback: "La journée n'a pas pu être signée." },
    reads: [readClosing],
  });
}

/** Who signed the day, and what is otherwise now than it was then. */
export function Signature({ signed, figures }: { signed: Closing['signed']; figures: ClosingFigures }) {
  if (!signed) return <p className="hidden print:block">Journée non signée.</p>;
  const wordsOf = (each: ClosingFigures) => new Map(ledgersOf(each).flatMap(({ rows }) => rows));
  const [then, now] = [wordsOf(signed.figures), wordsOf(figures)];
  const differing = [...new Set([...then.keys(), ...now.keys()])].filter((name) => then.get(name) !== now.get(name));
  const words = `Signée par ${signed.by ?? 'un compte supprimé'}, le ${formatDate(signed.at)}.`;
  if (!signed.changed) return <p className="font-semibold text-leaf-dark">{words}</p>;
  return (
    <div className={join('rounded-card border px-4 py-2.5', amberLook)}>
      <h3 className="font-semibold">A changé depuis la signature</h3>
      <p className="text-ink text-body">{words}</p>
      <ul className="mt-1 text-ink text-body">
        {differing.map((name) => (
          <li key={name} className="tabular-nums">
            {`${name}\u00a0: ${then.get(name) ?? 'rien'} à la signature, ${now.get(name) ?? 'rien'} maintenant`}
          </li>
        ))}
        {differing.length === 0 && <li>Le détail des lignes a changé, les totaux sont les mêmes.</li>}
      </ul>
    </div>
  );
}

/** The signatures that later ones replaced. */
export function Earlier({ signatures }: { signatures: Closing['earlier'] }) {
  if (signatures.length === 0) return null;
  return (
    <div className="text-body text-soft">
      <h3 className="font-semibold">Signatures d'avant</h3>
      <ul>
        {signatures.map(({ by, at, figures }) => (
          <li key={at} className="tabular-nums">
            {`${by ?? 'Un compte supprimé'}, le ${formatDate(at)}\u00a0: solde de fin ${francs(figures.last).toLowerCase().replace('fcfa', 'FCFA')}`}
          </li>
        ))}
      </ul>
    </div>
  );
}
