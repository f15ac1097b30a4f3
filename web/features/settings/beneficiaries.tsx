import { type RefObject, useEffect, useRef, useState } from 'react';
import { type Beneficiary, deleteBeneficiary, listBeneficiaries } from '#contract/beneficiaries.ts';
import { formatPhone } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import { BeneficiaryNameField } from '#web/account/beneficiary-name.tsx';
import { useCall } from '#web/api/use-call.ts';
import type { TypedPhone } from '#web/forms/grouped-typing.ts';
import { PhoneField } from '#web/forms/phone-field.tsx';
import { useAction } from '#web/forms/use-action.ts';
import { useAuth } from '#web/session/auth.tsx';
import { useBeneficiaries } from '#web/session/beneficiaries.tsx';
import { Button } from '#web/ui/button.tsx';
import { Drawing } from '#web/ui/drawing.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PeopleIcon } from '#web/ui/panel-icons.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';

/** The numbers with names, to add, to rename and to delete. */
export function Beneficiaries() {
  const query = useBeneficiaries();
  const { heading, around } = useFocusFallback<HTMLButtonElement>();
  return (
    <div {...around}>
      <QueryState
        query={query}
        loading="Chargement..."
        failure="Impossible de charger vos bénéficiaires."
        empty={
          <>
            <EmptyState
              Icon={PeopleIcon}
              title="Aucun bénéficiaire"
              text="Donnez un nom aux numéros pour lesquels vous payez souvent."
            />
            <Adding opener={heading.ref} />
          </>
        }
      >
        {(list) => (
          <>
            <ul className="-mt-2 mb-3 divide-y divide-line border-line border-b">
              {list.map((each) => (
                <Row key={each.phone} beneficiary={each} />
              ))}
            </ul>
            <Adding opener={heading.ref} />
          </>
        )}
      </QueryState>
    </div>
  );
}

/** A button that opens the fields of a new number: once that is whole, its name is asked for. */
function Adding({ opener }: { opener: RefObject<HTMLButtonElement | null> }) {
  const { user } = useAuth();
  const [typed, setTyped] = useState<TypedPhone>();
  const done = () => setTyped(undefined);
  if (!typed)
    return (
      <Button
        ref={opener}
        variant="outline"
        className="w-full"
        onClick={() => setTyped({ code: user?.countryCode ?? '', number: '' })}
      >
        + Ajouter
      </Button>
    );
  const phone = readPhone(typed.number, typed.code);
  return (
    <div className="flex flex-col gap-3">
      <PhoneField label="Numéro" autoFocus autoComplete="off" value={typed} onChange={setTyped} />
      {'e164' in phone ? (
        <BeneficiaryNameField phone={phone.e164} name="" onDone={done} />
      ) : (
        <Button variant="quiet" tight onClick={done}>
          Annuler
        </Button>
      )}
    </div>
  );
}

/** A name with its number; its menu opens in its place. */
function Row({ beneficiary: { phone, name } }: { beneficiary: Beneficiary }) {
  const [asked, setAsked] = useState<'menu' | 'rename' | 'delete'>();
  const call = useCall();
  const done = () => setAsked(undefined);
  const menuButton = useRef<HTMLButtonElement>(null);
  const opened = useRef<HTMLDivElement>(null);
  const before = useRef(asked);
  // The keyboard goes to what was opened, and back to the menu's button.
  useEffect(() => {
    if (asked) opened.current?.querySelector<HTMLElement>('input, button')?.focus();
    else if (before.current) menuButton.current?.focus();
    before.current = asked;
  }, [asked]);
  const deletion = useAction(async () => void (await call(deleteBeneficiary, { params: { phone } })), {
    failure: { fallback: 'Impossible de supprimer ce bénéficiaire.' },
    reads: [listBeneficiaries],
  });
  const of = <span className="sr-only">{` ${name}`}</span>;
  return (
    <li>
      <div className="flex min-h-15 items-center gap-2 py-1.5">
        <div className="min-w-0 flex-1">
          <p className="wrap-anywhere font-semibold leading-snug">{name}</p>
          <p className="text-small text-soft tabular-nums">{formatPhone(phone)}</p>
        </div>
        <button
          ref={menuButton}
          type="button"
          aria-label={`Actions pour ${name}`}
          aria-expanded={asked !== undefined}
          onClick={() => setAsked(asked ? undefined : 'menu')}
          className="-mr-2 flex size-11 shrink-0 items-center justify-center rounded-xl text-soft hover:bg-leaf-pale hover:text-ink"
        >
          <Drawing className="size-5">
            <path d="M12 5h.01M12 12h.01M12 19h.01" strokeWidth="3" />
          </Drawing>
        </button>
      </div>
      {asked && (
        <div ref={opened} className="flex flex-wrap gap-2 pb-3">
          {asked === 'rename' && (
            <div className="w-full">
              <BeneficiaryNameField phone={phone} name={name} onDone={done} />
            </div>
          )}
          {asked === 'menu' && (
            <>
              <Button variant="outline" tight className="grow" onClick={() => setAsked('rename')}>
                <span>Renommer{of}</span>
              </Button>
              <Button variant="danger" tight className="grow" onClick={() => setAsked('delete')}>
                <span>Supprimer{of}</span>
              </Button>
            </>
          )}
          {asked === 'delete' && (
            <>
              <p className="basis-full text-body">Vos demandes pour ce numéro restent, sans ce nom.</p>
              <Button variant="danger" tight className="grow" busy={deletion.busy} onClick={() => deletion.run()}>
                <span>
                  Supprimer<span className="sr-only">{` ${name} pour de bon`}</span>
                </span>
              </Button>
              <Button variant="quiet" tight className="grow" onClick={done}>
                Annuler
              </Button>
            </>
          )}
        </div>
      )}
    </li>
  );
}
