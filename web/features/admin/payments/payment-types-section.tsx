import { type ReactNode, useState } from 'react';
import {
  createPaymentType,
  deletePaymentType,
  listPaymentTypes,
  type PaymentType,
  updatePaymentType,
  uploadPaymentTypePicture,
} from '#contract/payment-types.ts';
import { type CountryCode, countries, findCountry } from '#contract/phone.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { OperatorMark } from '#web/catalogue/operator-mark.tsx';
import { Picture } from '#web/catalogue/picture.tsx';
import { ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { draftFields, useDraft, useSaveForm } from '#web/features/admin/shared/draft.tsx';
import { EditDialog } from '#web/features/admin/shared/edit-dialog.tsx';
import { CheckField } from '#web/features/admin/shared/fields.tsx';
import { ImageField } from '#web/features/admin/shared/image-field.tsx';
import { Listing } from '#web/features/admin/shared/listing.tsx';
import { BinIcon, CodeIcon, EditIcon } from '#web/features/admin/shared/row-icons.tsx';
import { RowText } from '#web/features/admin/shared/row-text.tsx';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { type Reading, serverErrors } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { DialTemplatesDialog } from './dial-templates-dialog.tsx';

const paramsOf = ({ id }: PaymentType) => ({ params: { id: String(id) } });

export function PaymentTypesSection({ nav }: { nav: ReactNode }) {
  const query = useEndpoint(listPaymentTypes, {}, { freshForMs: 0 });
  const [opened, setOpened] = useState<{ what: 'edit' | 'dial' | 'remove'; type?: PaymentType }>();
  const close = () => setOpened(undefined);
  const offer = useOffer();
  const type = query.data?.find(({ id }) => id === opened?.type?.id) ?? opened?.type;
  return (
    <>
      <TabTitle nav={nav} aside={<Button onClick={() => setOpened({ what: 'edit' })}>Nouveau type de paiement</Button>}>
        Paiements
      </TabTitle>
      <QueryState
        query={query}
        loading="Chargement des types de paiement..."
        failure="Impossible de charger les types de paiement."
      >
        {(types) => (
          <Listing
            title="Types de paiement"
            nothing="Aucun type de paiement"
            rows={types}
            parts={[
              {
                head: 'Nom',
                percent: 26,
                draw: (each, inTable) => (
                  <div className="flex flex-wrap items-center justify-between gap-x-3 in-[td]:flex-nowrap">
                    <NameAndFace type={each} />
                    {!inTable && offer(each)}
                  </div>
                ),
              },
              { head: 'Pays', percent: 24, draw: ({ countries }) => <Countries codes={countries} /> },
              { head: 'Codes', percent: 18, draw: (each) => <CodesState type={each} /> },
              { head: 'Proposé', percent: 15, draw: (each, inTable) => inTable && offer(each) },
            ]}
            actions={(each) => {
              const of = each.name;
              const open = (what: 'edit' | 'dial' | 'remove') => () => setOpened({ what, type: each });
              return [
                { name: 'Codes', of, Icon: CodeIcon, onClick: open('dial') },
                { name: 'Modifier', of, Icon: EditIcon, onClick: open('edit') },
                { name: 'Supprimer', of, Icon: BinIcon, onClick: open('remove') },
              ];
            }}
            dialog={
              <>
                {opened?.what === 'dial' && type && (
                  <DialTemplatesDialog
                    type={type}
                    onClose={() => {
                      close();
                      // What is missing or to be verified stands in the list.
                      query.refetch();
                    }}
                  />
                )}
                {opened?.what === 'remove' && type && <RemoveDialog type={type} onClose={close} />}
              </>
            }
          />
        )}
      </QueryState>
      {opened?.what === 'edit' && <PaymentTypeDialog type={type} onClose={close} />}
    </>
  );
}

/** Draws whether a payment type is offered, with its switch. */
function useOffer() {
  const call = useCall();
  const activity = useAction(
    async (type: PaymentType, isActive: boolean) => {
      await call(updatePaymentType, { ...paramsOf(type), body: { isActive, expectedUpdatedAt: type.updatedAt } });
      const description = `«\u00a0${type.name}\u00a0» est maintenant ${isActive ? 'actif' : 'inactif'}.`;
      return { title: 'Type de paiement mis à jour', description };
    },
    {
      failure: { fallback: 'Impossible de modifier le type de paiement.' },
      reads: [listPaymentTypes],
      keyOf: ({ id }) => id,
    },
  );
  return (each: PaymentType) => {
    // As it is asked for while the call runs.
    const [, isActive = each.isActive] = activity.running.get(each.id) ?? [];
    return (
      <div className="flex items-center gap-1 [td_&]:-ml-2">
        <Switch
          label={`Proposer ${each.name}`}
          checked={isActive}
          onChange={({ target }) => activity.run(each, target.checked)}
        />
        <span className={isActive ? undefined : 'text-soft'}>{isActive ? 'Actif' : 'Inactif'}</span>
      </div>
    );
  };
}

function RemoveDialog({ type, onClose }: { type: PaymentType; onClose: () => void }) {
  const call = useCall();
  return (
    <ConfirmDialog
      title={`Supprimer «\u00a0${type.name}\u00a0»\u00a0?`}
      onConfirm={async () => {
        await call(deletePaymentType, paramsOf(type));
        return { title: 'Type de paiement supprimé', description: `«\u00a0${type.name}\u00a0» n'est plus proposé.` };
      }}
      failure={{ fallback: 'Impossible de supprimer le type de paiement.' }}
      reads={[listPaymentTypes]}
      onClose={onClose}
    >
      <p>Ce type de paiement ne sera plus proposé. Les tickets qui l'ont choisi gardent son nom.</p>
      {type.isActive && <p>Pour ne plus le proposer un moment seulement, désactivez-le.</p>}
    </ConfirmDialog>
  );
}

function NameAndFace({ type: { name, operator, pictureUrl, icon } }: { type: PaymentType }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      {pictureUrl || icon ? (
        <span className="flex size-10 shrink-0 items-center justify-center overflow-hidden rounded-xl bg-leaf-pale text-title">
          {pictureUrl ? (
            <Picture src={pictureUrl} side="4rem" className="size-full object-cover" />
          ) : (
            <span aria-hidden="true">{icon}</span>
          )}
        </span>
      ) : (
        <OperatorMark name={name} size="small" />
      )}
      <RowText note={operator && `Ligne ${operator}`}>
        <span className="font-semibold">{name}</span>
      </RowText>
    </div>
  );
}

function Countries({ codes }: { codes: readonly string[] }) {
  if (codes.length === 0) return <span>Tous les pays</span>;
  const names = codes.map((code) => `${findCountry(code)?.flag} ${findCountry(code)?.name.replaceAll(' ', '\u00a0')}`);
  return (
    <span className="in-[td]:line-clamp-2 in-[td]:text-small" title={names.join(', ')}>
      {names.join(', ')}
    </span>
  );
}

/** How many of a type's codes nobody has tried, or do not work, and in how many of its countries it has none. */
function CodesState({ type: { dialTemplates, countries: served } }: { type: PaymentType }) {
  if (dialTemplates.length === 0) return <span className="text-soft">Sans code</span>;
  const offered = countries.filter(({ code }) => served.length === 0 || served.some((each) => each === code));
  const missing = offered.filter(({ code }) => !dialTemplates.some(({ country }) => country === code)).length;
  const inState = (state: string) => dialTemplates.filter((each) => each.state === state).length;
  const [unverified, reported, broken] = [inState('unverified'), inState('reported'), inState('broken')];
  const words = [
    broken > 0 && `${broken} en panne`,
    reported > 0 && (reported === 1 ? '1 signalé' : `${reported} signalés`),
    unverified > 0 && `${unverified} à vérifier`,
    missing > 0 && (missing === 1 ? '1 manque' : `${missing} manquent`),
  ].filter(Boolean);
  if (words.length === 0) return <span>Tous vérifiés</span>;
  return (
    <span className={join('font-medium', broken + reported > 0 ? 'text-brick' : 'text-amber')}>
      <span className="in-[td]:hidden">Codes&nbsp;: </span>
      {words.join(', ')}
    </span>
  );
}

/** The values of the form; an image not yet uploaded is a file. */
interface Draft {
  name: string;
  operator: string;
  icon: string;
  image: string | File | null;
  countries: readonly CountryCode[];
}

function draftOf(stored: PaymentType | undefined): Draft {
  if (!stored) return { name: '', operator: '', icon: '', image: null, countries: [] };
  const { name, operator, icon, pictureUrl, countries: chosen } = stored;
  return { name, operator: operator ?? '', icon: icon ?? '', image: pictureUrl, countries: chosen };
}

/** The form of a payment type; without one, of a new one. */
function PaymentTypeDialog({ type, onClose }: { type: PaymentType | undefined; onClose: () => void }) {
  const { draft, change, errors, ...saving } = useTypeForm(type, onClose);
  const { name, operator, image, countries: chosen } = draft;
  const fields = draftFields(draft, errors, change);
  return (
    <EditDialog
      short
      title={type ? `Modifier «\u00a0${type.name}\u00a0»` : 'Nouveau type de paiement'}
      save={type ? 'Enregistrer' : 'Créer'}
      disabled={!type && !name.trim()}
      {...saving}
      errors={errors}
      bodyClass="flex flex-col gap-5 pb-4"
      onClose={onClose}
    >
      <Field label="Nom *" required {...fields.text('name')} />
      <Field
        label="Opérateur (facultatif)"
        hint={`Les visiteurs liront\u00a0: «\u00a0Composez ce code depuis votre SIM ${operator.trim() || 'Orange'} pour payer.\u00a0»`}
        {...fields.text('operator')}
      />
      <div className="grid items-start gap-5 sm:grid-cols-[1fr_2fr]">
        <Field
          label="Icône"
          placeholder="💳"
          hint="Un emoji, affiché quand il n'y a pas d'image."
          {...fields.text('icon')}
        />
        <ImageField label="Image" image={image} onChange={(picked) => change({ image: picked })} />
      </div>
      <fieldset className="min-w-0">
        <legend className="font-semibold text-body">Pays</legend>
        <p className="text-soft text-small">Aucun coché&nbsp;: proposé dans tous les pays.</p>
        <div className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))]">
          {countries.map(({ code, flag, name: country }) => (
            <CheckField
              key={code}
              label={`${flag} ${country}`}
              checked={chosen.includes(code as CountryCode)}
              onChange={({ target: { checked } }) =>
                change({
                  countries: countries
                    .map((each) => each.code as CountryCode)
                    .filter((each) => (each === code ? checked : chosen.includes(each))),
                })
              }
            />
          ))}
        </div>
      </fieldset>
    </EditDialog>
  );
}

function useTypeForm(type: PaymentType | undefined, onClose: () => void) {
  const call = useCall();
  const copy = useDraft(type, draftOf);
  const { draft, change } = copy;
  const saving = useSaveForm({
    read: (): Reading<Draft> =>
      draft.name.trim() ? { data: draft } : { errors: { name: 'Le nom du type de paiement est requis.' } },
    send: async (draft, version) => {
      let pictureUrl = draft.image;
      if (pictureUrl instanceof File) {
        pictureUrl = (await call(uploadPaymentTypePicture, { file: pictureUrl })).url;
        // Another try does not repeat the upload.
        change({ image: pictureUrl });
      }
      const body = {
        name: draft.name.trim(),
        pictureUrl,
        icon: draft.icon.trim() || null,
        operator: draft.operator.trim() || null,
        countries: [...draft.countries],
      };
      if (type) await call(updatePaymentType, { ...paramsOf(type), body: { ...body, ...version } });
      else await call(createPaymentType, { body });
      onClose();
      const title = type ? 'Type de paiement mis à jour' : 'Type de paiement créé';
      const state = type ? 'enregistré' : 'proposé dès maintenant';
      return { title, description: `«\u00a0${body.name}\u00a0» est ${state}.` };
    },
    copy,
    write: { endpoint: updatePaymentType, target: type?.id },
    failure: { fallback: `Impossible de ${type ? 'modifier' : 'créer'} le type de paiement.` },
    errorsOf: (error) =>
      hasCode(error, 'PAYMENT_TYPE_TAKEN') ? { name: error.failure.message ?? '' } : serverErrors(error),
    refetch: listPaymentTypes,
  });
  return { draft, change, ...saving };
}
