import { useEffect, useRef, useState } from 'react';
import { type Beneficiary, deleteBeneficiary, listBeneficiaries } from '#contract/beneficiaries.ts';
import { formatPhone } from '#contract/phone.ts';
import { BeneficiaryNameField } from '#web/account/beneficiary-name.tsx';
import { addresses } from '#web/addresses.ts';
import { useCall } from '#web/api/use-call.ts';
import { useAction } from '#web/forms/use-action.ts';
import { Link } from '#web/router.tsx';
import { useBeneficiaries } from '#web/session/beneficiaries.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PeopleIcon } from '#web/ui/panel-icons.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';

/** The numbers with names, to rename and to delete. They are added in an order. */
export function Beneficiaries() {
  const query = useBeneficiaries();
  const { heading, around } = useFocusFallback();
  const about = (
    <h3 {...heading} className="text-soft">
      Pour en ajouter un, touchez « Nommer » sous le numéro, au moment de commander.
    </h3>
  );
  return (
    <div {...around}>
      <QueryState
        query={query}
        loading="Chargement..."
        failure="Impossible de charger vos bénéficiaires."
        empty={
          <EmptyState Icon={PeopleIcon} title="Aucun bénéficiaire">
            <div className="-mt-3">{about}</div>
            <Link href={addresses.home} className={buttonClass()}>
              Explorer les services
            </Link>
          </EmptyState>
        }
      >
        {(list) => (
          <>
            {about}
            <ul className="mt-2 divide-y divide-line">
              {list.map((each) => (
                <Row key={each.phone} beneficiary={each} />
              ))}
            </ul>
          </>
        )}
      </QueryState>
    </div>
  );
}

/** The keyboard goes to what a button opened, and back to it. */
function useReturningFocus(asked: 'rename' | 'delete' | undefined) {
  const renameButton = useRef<HTMLButtonElement>(null);
  const deleteButton = useRef<HTMLButtonElement>(null);
  const confirmButton = useRef<HTMLButtonElement>(null);
  const asking = useRef<typeof asked>(undefined);
  useEffect(() => {
    if (asked === 'delete') confirmButton.current?.focus();
    else if (!asked && asking.current) (asking.current === 'rename' ? renameButton : deleteButton).current?.focus();
    asking.current = asked;
  }, [asked]);
  return { renameButton, deleteButton, confirmButton };
}

function Row({ beneficiary: { phone, name } }: { beneficiary: Beneficiary }) {
  const [asked, setAsked] = useState<'rename' | 'delete'>();
  const call = useCall();
  const done = () => setAsked(undefined);
  const { renameButton, deleteButton, confirmButton } = useReturningFocus(asked);
  const deletion = useAction(async () => void (await call(deleteBeneficiary, { params: { phone } })), {
    failure: { fallback: 'Impossible de supprimer ce bénéficiaire.' },
    reads: [listBeneficiaries],
  });
  return (
    <li className="py-2.5">
      <p className="wrap-anywhere font-semibold leading-snug">{name}</p>
      <p className="text-soft text-small tabular-nums">{formatPhone(phone)}</p>
      {asked === 'rename' ? (
        <div className="mt-2">
          <BeneficiaryNameField phone={phone} name={name} onDone={done} />
        </div>
      ) : (
        <div className="-mx-3 flex flex-wrap items-center">
          {asked === 'delete' ? (
            <>
              <p className="mt-1.5 mb-2.5 basis-full px-3 text-body">
                Vos demandes pour ce numéro restent, sans ce nom.
              </p>
              <Button
                variant="danger"
                tight
                ref={confirmButton}
                busy={deletion.busy}
                className="mr-1 ml-3"
                onClick={() => deletion.run()}
              >
                <span>
                  Supprimer<span className="sr-only">{` ${name} pour de bon`}</span>
                </span>
              </Button>
              <Button variant="quiet" tight onClick={done}>
                Annuler
              </Button>
            </>
          ) : (
            <>
              <Button ref={renameButton} variant="quiet" tight onClick={() => setAsked('rename')}>
                <span>
                  Renommer<span className="sr-only">{` ${name}`}</span>
                </span>
              </Button>
              <Button ref={deleteButton} variant="quiet" tight onClick={() => setAsked('delete')}>
                <span>
                  Supprimer<span className="sr-only">{` ${name}`}</span>
                </span>
              </Button>
            </>
          )}
        </div>
      )}
    </li>
  );
}
