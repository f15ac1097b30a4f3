import { type ReactNode, useState } from 'react';
import {
  listMerchantNumbers,
  type MerchantNumbers,
  merchantNumbersForm,
  saveMerchantNumbers,
} from '#contract/merchant-numbers.ts';
import { ofName } from '#contract/of-name.ts';
import { listPaymentTypes, type PaymentType } from '#contract/payment-types.ts';
import { type Country, countries } from '#contract/phone.ts';
import { freshForMs, pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useRefresh } from '#web/api/use-refresh.ts';
import { OperatorMark } from '#web/catalogue/operator-mark.tsx';
import { useDraft, useSaveForm } from '#web/features/admin/shared/draft.tsx';
import { useUnloadGuard } from '#web/features/admin/shared/edit-dialog.tsx';
import { type FieldErrors, readForm, serverErrors } from '#web/forms/read-form.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { ChevronIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';

interface Wallet {
  type: PaymentType;
  stored: MerchantNumbers;
  /** Where it is offered or has a number. */
  countries: Country[];
  /** Where its own code asks for a number that is not given. */
  lacking: Country[];
}

/** The merchant numbers of all wallets, one row each (P18.7): unfolded while some are missing. */
export function MerchantNumbersSection() {
  const numbers = useEndpoint(listMerchantNumbers, {}, { pollEveryMs: pollEveryMs.adminPaymentAccounts });
  const types = useEndpoint(listPaymentTypes, {}, { freshForMs: freshForMs.paymentTypes }).data;
  return (
    <QueryState
      query={numbers}
      loading="Chargement des numéros marchands..."
      failure="Impossible de charger les numéros marchands."
    >
      {(lists) =>
        types && (
          <Numbers
            wallets={types.flatMap((type) => {
              const stored = lists.find(({ paymentTypeId }) => paymentTypeId === type.id);
              return stored ? [walletOf(type, stored)] : [];
            })}
          />
        )
      }
    </QueryState>
  );
}

function walletOf(type: PaymentType, stored: MerchantNumbers): Wallet {
  const isOffered = ({ code }: Country) => type.countries.length === 0 || type.countries.some((each) => each === code);
  const hasNumber = ({ code }: Country) => stored.numbers.some(({ country }) => country === code);
  const asksForIt = ({ code }: Country) =>
    type.dialTemplates.some(({ country, template }) => country === code && template.includes('{marchand}'));
  return {
    type,
    stored,
    countries: countries.filter((country) => isOffered(country) || hasNumber(country)),
    lacking: countries.filter((country) => isOffered(country) && asksForIt(country) && !hasNumber(country)),
  };
}

function Numbers({ wallets }: { wallets: readonly Wallet[] }) {
  const lacking = wallets.flatMap((wallet) => (wallet.type.isActive ? wallet.lacking : [])).length;
  const [wasLacking] = useState(lacking > 0);
  const isAsked = ({ stored, lacking: without }: Wallet) => without.length > 0 || stored.numbers.length > 0;
  const others = wallets.filter((wallet) => !isAsked(wallet));
  if (wallets.length === 0) return null;
  return (
    <details open={wasLacking} className={join(cardClass, 'group mb-4')}>
      <Summary>
        <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h2 className="font-bold text-large">Numéros marchands</h2>
          {lacking > 0 ? (
            <Badge tone="amber">{`Il en manque ${lacking}`}</Badge>
          ) : (
            <Badge tone="green">Tous donnés</Badge>
          )}
        </div>
      </Summary>
      <p className="px-4 pb-3 text-soft sm:px-5">
        Les numéros que les opérateurs vous ont donnés pour être payé. Ils remplacent {'{marchand}'} dans tous les
        codes&nbsp;; sans eux, un code ne paie personne.
      </p>
      <ul className="divide-y divide-line border-line border-t">
        {wallets.filter(isAsked).map((wallet) => (
          <WalletRow key={wallet.type.id} wallet={wallet} />
        ))}
      </ul>
      {others.length > 0 && (
        <details className="group/others border-line border-t">
          <Summary of="others">
            <span className="min-w-0 flex-1 text-soft">
              {`Sans code qui en demande\u00a0: ${others.map(({ type }) => type.name).join(', ')}`}
            </span>
          </Summary>
          <ul className="divide-y divide-line border-line border-t">
            {others.map((wallet) => (
              <WalletRow key={wallet.type.id} wallet={wallet} />
            ))}
          </ul>
        </details>
      )}
    </details>
  );
}

function Summary({ of, children }: { of?: 'others' | 'countries'; children: ReactNode }) {
  const turn = {
    others: 'group-open/others:transform-[rotate(-90deg)]',
    countries: 'group-open/countries:transform-[rotate(-90deg)]',
  };
  return (
    <summary
      className={join(
        'flex list-none items-center rounded-card [&::-webkit-details-marker]:hidden',
        of === 'countries' ? 'min-h-11 gap-1' : 'min-h-12 gap-3 px-4 py-2.5 sm:px-5',
      )}
    >
      {children}
      <ChevronIcon
        className={join(
          'size-5 shrink-0 transform-[rotate(90deg)] text-leaf',
          of ? turn[of] : 'group-open:transform-[rotate(-90deg)]',
        )}
      />
    </summary>
  );
}

/** The number of each country as it is typed, by its code. */
type Draft = Record<string, string>;

/** The form of a wallet's numbers, as they are typed and saved together. */
function useWalletForm({ type, stored, countries: served }: Wallet) {
  const call = useCall();
  const refresh = useRefresh();
  const copy = useDraft(
    stored,
    ({ numbers }): Draft =>
      Object.fromEntries(
        served.map(({ code }) => [code, numbers.find(({ country }) => country === code)?.number ?? '']),
      ),
  );
  const { draft, change } = copy;
  const given = served.flatMap(({ code }) => (draft[code]?.trim() ? [{ country: code, number: draft[code] }] : []));
  /** Errors of the list that is sent, by country. */
  const byCountry = (errors: FieldErrors): FieldErrors =>
    Object.fromEntries(
      Object.entries(errors).map(([path, words]) => [given[Number(path.split('.')[1])]?.country ?? path, words]),
    );
  const saving = useSaveForm({
    read: () => {
      const { data, errors: found } = readForm(merchantNumbersForm, { numbers: given });
      return data ? { data } : { errors: byCountry(found) };
    },
    send: async ({ numbers }, version) => {
      const saved = await call(saveMerchantNumbers, {
        params: { id: String(type.id) },
        body: { numbers, ...version },
      });
      await refresh(listMerchantNumbers, listPaymentTypes);
      copy.recordSaved(draft, saved);
      return { title: 'Numéro marchand enregistré', description: `«\u00a0${type.name}\u00a0»` };
    },
    copy,
    write: { endpoint: saveMerchantNumbers, target: type.id },
    failure: { fallback: "Le numéro marchand n'a pas pu être enregistré." },
    errorsOf: (error) => byCountry(serverErrors(error)),
    refetch: listMerchantNumbers,
  });
  useUnloadGuard(copy.unsaved);
  return { draft, change, ...saving };
}

const typing = { inputMode: 'numeric', autoComplete: 'off', maxLength: 30, className: 'tabular-nums' } as const;

function WalletRow({ wallet }: { wallet: Wallet }) {
  const { type, countries: served } = wallet;
  const { form, draft, change, errors, unsaved, busy, question } = useWalletForm(wallet);
  const numbers = served.map(({ code }) => draft[code] ?? '');
  const [first = ''] = numbers;
  const isSame = numbers.every((number) => number === first);
  const hasSeveral = served.length > 1;
  return (
    <li>
      <form
        {...form}
        aria-label={`Numéro marchand ${ofName(type.name)}`}
        className="grid gap-x-5 gap-y-2.5 px-4 py-3 sm:px-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
      >
        <WalletName {...wallet} />
        <Field
          label={hasSeveral ? 'Le même dans tous ses pays' : 'Numéro marchand'}
          {...typing}
          value={isSame ? first : ''}
          placeholder={isSame ? undefined : 'Un par pays, ci-dessous'}
          error={isSame ? Object.values(errors)[0] : undefined}
          onChange={({ target }) => change(Object.fromEntries(served.map(({ code }) => [code, target.value])))}
        />
        {hasSeveral && (
          <details open={!isSame} className="group/countries -my-1 lg:col-span-2 lg:col-start-2">
            <Summary of="countries">
              <span className="text-leaf">Un numéro par pays</span>
            </Summary>
            <div className="grid gap-3 pb-2 sm:grid-cols-2">
              {served.map(({ code, name, flag }) => (
                <Field
                  key={code}
                  label={`${flag} ${name}`}
                  {...typing}
                  value={draft[code] ?? ''}
                  error={isSame ? undefined : errors[code]}
                  onChange={({ target }) => change({ [code]: target.value })}
                />
              ))}
            </div>
          </details>
        )}
        <Button
          type="submit"
          variant={unsaved ? 'main' : 'plain'}
          busy={busy}
          className="lg:col-start-3 lg:row-start-1 lg:mt-7 lg:self-start"
          aria-label={`Enregistrer le numéro marchand ${ofName(type.name)}`}
        >
          {busy ? 'Enregistrement...' : 'Enregistrer'}
        </Button>
      </form>
      {question}
    </li>
  );
}

function WalletName({ type, countries: served, lacking }: Wallet) {
  const names = (list: readonly Country[]) => list.map(({ name }) => name).join(', ');
  return (
    <div className="flex min-w-0 items-start gap-3">
      <OperatorMark name={type.name} size="small" />
      <div className="min-w-0">
        <p className="wrap-anywhere flex flex-wrap items-center gap-x-2 font-semibold">
          <span>{type.name}</span>
          {!type.isActive && <Badge>Inactif</Badge>}
        </p>
        {lacking.length > 0 ? (
          <p className="text-amber text-small">{`Manque\u00a0: ${names(lacking)}`}</p>
        ) : (
          <p className="text-small text-soft">{names(served)}</p>
        )}
      </div>
    </div>
  );
}
