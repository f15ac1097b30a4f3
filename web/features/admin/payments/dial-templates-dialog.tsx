import { useState } from 'react';
import { dialTemplateProblem, fillDialTemplate } from '#contract/dial-code.ts';
import {
  createDialTemplate,
  type DialTemplate,
  type DialTemplateState,
  deleteDialTemplate,
  listDialTemplates,
  updateDialTemplate,
} from '#contract/dial-codes.ts';
import { listMerchantNumbers, type MerchantNumbers } from '#contract/merchant-numbers.ts';
import { ofName } from '#contract/of-name.ts';
import type { PaymentType } from '#contract/payment-types.ts';
import { type Country, type CountryCode, countries, findCountry } from '#contract/phone.ts';
import { paymentAccountsAddress } from '#web/admin-addresses.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { CloseFoot, ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { CopyBeside } from '#web/features/admin/shared/copy-beside.tsx';
import { draftFields, useDraft, useSaveForm } from '#web/features/admin/shared/draft.tsx';
import { EditDialog } from '#web/features/admin/shared/edit-dialog.tsx';
import { ChoiceField } from '#web/features/admin/shared/fields.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import type { Reading } from '#web/forms/read-form.ts';
import { Link } from '#web/router.tsx';
import { formatAmount, formatDate } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { QueryState } from '#web/ui/query-state.tsx';

const states: Record<DialTemplateState, { words: string; tone: 'green' | 'amber' | 'red' }> = {
  unverified: { words: 'À vérifier', tone: 'amber' },
  verified: { words: 'Vérifié', tone: 'green' },
  reported: { words: 'Signalé', tone: 'red' },
  broken: { words: 'En panne', tone: 'red' },
};

/** A payment type's own codes, one a country (P18.5): what payers dial where the service has no code of that wallet. */
export function DialTemplatesDialog({ type, onClose }: { type: PaymentType; onClose: () => void }) {
  const query = useEndpoint(listDialTemplates, { params: { id: String(type.id) } });
  const lists = useEndpoint(listMerchantNumbers, {}).data;
  const numbers = lists?.find(({ paymentTypeId }) => paymentTypeId === type.id)?.numbers;
  const call = useCall();
  const [deleted, setDeleted] = useState<DialTemplate>();
  return (
    <Dialog wide title={`Codes de «\u00a0${type.name}\u00a0»`} onClose={onClose}>
      <p className="mt-2 text-soft">{`Le code que l'on compose pour payer par ${type.name}, quand le service n'a pas de code de ce portefeuille. Essayez-le vous-même avant de le marquer vérifié.`}</p>
      <QueryState query={query} loading="Chargement des codes..." failure="Impossible de charger les codes.">
        {(templates) => (
          <ul className="mt-4 flex flex-col gap-3">
            {countries.map((country) => {
              const stored = templates.find((each) => each.country === country.code);
              const isOffered = type.countries.length === 0 || type.countries.some((each) => each === country.code);
              if (!stored && !isOffered) return null;
              return (
                <CodeRow
                  key={country.code}
                  type={type}
                  country={country}
                  stored={stored}
                  numbers={numbers}
                  onDelete={setDeleted}
                />
              );
            })}
          </ul>
        )}
      </QueryState>
      <CloseFoot onClose={onClose} />
      {deleted && (
        <ConfirmDialog
          title={'Supprimer ce code\u00a0?'}
          onConfirm={async () => {
            const params = { id: String(type.id), templateId: String(deleted.id) };
            await call(deleteDialTemplate, { params });
            return { title: 'Code supprimé' };
          }}
          failure={{ fallback: 'Impossible de supprimer ce code.' }}
          reads={[listDialTemplates]}
          onClose={() => setDeleted(undefined)}
        >
          <p>{`${type.name} n'aura plus de code ici (${findCountry(deleted.country)?.name}). Les tickets gardent le leur.`}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

/** The code of a country, if it has one, and its form. */
function CodeRow({
  type,
  country: { code, flag, name },
  stored,
  numbers,
  onDelete,
}: {
  type: PaymentType;
  country: Country;
  stored: DialTemplate | undefined;
  /** Undefined until they are read. */
  numbers: MerchantNumbers['numbers'] | undefined;
  onDelete: (stored: DialTemplate) => void;
}) {
  const [isEditing, setEditing] = useState(false);
  const merchant = numbers?.find(({ country }) => country === code)?.number;
  const button = { small: true, of: `le code ${ofName(type.name)}, ${name}` };
  return (
    <li className="flex flex-col gap-2.5 rounded-card border border-line p-3.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold">
          <span aria-hidden="true">{flag}</span> {name}
        </h3>
        {stored && <Badge tone={states[stored.state].tone}>{states[stored.state].words}</Badge>}
      </div>
      {stored ? (
        <TemplateFacts stored={stored} merchant={numbers && (merchant ?? null)} />
      ) : (
        <p className="text-soft text-small">Sans code</p>
      )}
      <div className="flex flex-wrap gap-1.5 sm:*:flex-none">
        <RowButton
          name={stored ? 'Modifier' : 'Ajouter un code'}
          {...button}
          variant="plain"
          onClick={() => setEditing(true)}
        />
        {stored && <RowButton name="Supprimer" {...button} variant="danger" onClick={() => onDelete(stored)} />}
      </div>
      {isEditing && (
        <TemplateEditor
          type={type}
          country={code}
          stored={stored}
          merchant={merchant}
          onClose={() => setEditing(false)}
        />
      )}
    </li>
  );
}

function TemplateFacts({
  stored,
  merchant,
}: {
  stored: DialTemplate;
  /** The number that it pays, null without one; undefined until it is known. */
  merchant: string | null | undefined;
}) {
  const { template, message, reports, verifiedAt, source } = stored;
  const asksForIt = template.includes('{marchand}');
  const beneficiary = (findCountry(stored.country)?.example ?? '').replace(/\s/g, '');
  const trial = fillDialTemplate(template, { total: trialFrancs, beneficiary, serviceId: 1, merchant: merchant ?? '' });
  return (
    <ul className="flex flex-col gap-0.5 text-body">
      <li className="break-all font-mono font-semibold text-large">{template}</li>
      {asksForIt && merchant !== undefined && (
        <li className={merchant ? undefined : 'font-medium text-amber'}>
          <span>
            {merchant ? `Numéro marchand\u00a0: ${merchant}` : 'Sans numéro marchand, ce code ne paie personne.'}
          </span>{' '}
          <Link
            href={paymentAccountsAddress}
            className="inline-block font-normal text-leaf underline underline-offset-4"
          >
            {merchant ? 'Le changer dans Comptes' : 'Le donner dans Comptes'}
          </Link>
        </li>
      )}
      {(!asksForIt || merchant) && (
        <li className="flex flex-wrap items-center gap-x-2">
          <span>{`À essayer, pour ${formatAmount(trialFrancs)}\u00a0:`}</span>
          <span className="break-all font-mono">{trial}</span>
          <CopyBeside text={trial} of="le code d'essai" />
        </li>
      )}
      {reports > 0 && (
        <li className="font-medium text-brick">
          {`${reports === 1 ? '1 personne dit' : `${reports} personnes disent`} depuis un jour qu'il ne marche pas.`}
        </li>
      )}
      {message && <li className="text-brick">{`Message affiché\u00a0: ${message}`}</li>}
      {verifiedAt && <li className="text-soft">{`Vérifié le ${formatDate(verifiedAt)}`}</li>}
      {source && <li className="text-soft">{`Source\u00a0: ${source}`}</li>}
    </ul>
  );
}

/** Little enough to pay oneself once. */
const trialFrancs = 1_000;

const chosenStates = { unverified: 'À vérifier', verified: "Vérifié aujourd'hui", broken: 'En panne' };
const draftOf = (stored: DialTemplate | undefined) => ({
  template: stored?.template ?? '',
  message: stored?.message ?? '',
  state: 'unverified' as keyof typeof chosenStates,
});

interface EditorProps {
  type: PaymentType;
  country: string;
  stored: DialTemplate | undefined;
  /** The number of that country. */
  merchant: string | undefined;
  onClose: () => void;
}

/** The form of a country's code; without one, of a new one. What is saved is to be verified, unless it says otherwise. */
function TemplateEditor({ type, country, stored, merchant, onClose }: EditorProps) {
  const { draft, change, errors, ...saving } = useTemplateForm({ type, country, stored, onClose });
  const { template, state } = draft;
  const fields = draftFields(draft, errors, change);
  const example = { total: 1_500, beneficiary: '70123456', serviceId: 1, merchant: merchant ?? '{marchand}' };
  return (
    <EditDialog
      short
      title={`Code ${ofName(type.name)}, ${findCountry(country)?.name}`}
      {...saving}
      errors={errors}
      bodyClass="flex flex-col gap-3.5 pb-4"
      onClose={onClose}
    >
      <Field
        label="Code"
        required
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        hint="Repères&nbsp;: {marchand}, {montant}, {beneficiaire} et {service}."
        {...fields.text('template')}
      />
      {template && (
        <p className="text-body">
          Pour 1 500 FCFA&nbsp;: <strong className="break-all font-mono">{fillDialTemplate(template, example)}</strong>
        </p>
      )}
      {stored && (
        <ChoiceField
          label="État"
          hint="Un code en panne n'est plus donné à personne. Les services qui ont leur propre code le gardent."
          value={state}
          options={chosenStates}
          error={errors.state}
          onChoose={(chosen) => change({ state: chosen })}
        />
      )}
      {state === 'broken' && (
        <Field
          label="Message aux payeurs (facultatif)"
          maxLength={200}
          autoComplete="off"
          hint="Par exemple&nbsp;: Orange Money est en panne ce matin, payez par Moov."
          {...fields.text('message')}
        />
      )}
    </EditDialog>
  );
}

function useTemplateForm({ type, country, stored, onClose }: Omit<EditorProps, 'merchant'>) {
  const call = useCall();
  const copy = useDraft(stored, draftOf);
  const { template, message, state } = copy.draft;
  const saving = useSaveForm({
    read: (): Reading<{ template: string }> => {
      const problem = dialTemplateProblem(template.trim());
      return problem ? { errors: { template: problem } } : { data: { template: template.trim() } };
    },
    send: async (code, version) => {
      const id = String(type.id);
      if (stored)
        await call(updateDialTemplate, {
          params: { id, templateId: String(stored.id) },
          body: { ...code, state, message: message.trim() || null, ...version },
        });
      else await call(createDialTemplate, { params: { id }, body: { ...code, country: country as CountryCode } });
      onClose();
      const advice = 'Composez-le vous-même, puis marquez-le vérifié.';
      return { title: 'Code enregistré', ...(state === 'unverified' && { description: advice }) };
    },
    copy,
    write: { endpoint: updateDialTemplate },
    failure: { fallback: "Le code n'a pas pu être enregistré." },
    refetch: listDialTemplates,
  });
  return { draft: copy.draft, change: copy.change, ...saving };
}
