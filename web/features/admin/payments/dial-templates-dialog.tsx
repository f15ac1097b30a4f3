import { useState } from 'react';
import { dialTemplateProblem, fillDialTemplate, placeholderMerchant } from '#contract/dial-code.ts';
import {
  createDialTemplate,
  type DialTemplate,
  type DialTemplateState,
  deleteDialTemplate,
  listDialTemplates,
  updateDialTemplate,
} from '#contract/dial-codes.ts';
import type { PaymentType } from '#contract/payment-types.ts';
import { type CountryCode, countries, findCountry } from '#contract/phone.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint, useRefresh } from '#web/api/use-endpoint.ts';
import { ConfirmDialog, DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { useAttempt } from '#web/features/admin/shared/use-attempt.ts';
import { useForm } from '#web/forms/use-form.ts';
import { formatDate } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useToast } from '#web/ui/toast.tsx';

const states: Record<DialTemplateState, { words: string; tone: 'green' | 'amber' | 'red' }> = {
  unverified: { words: 'À vérifier', tone: 'amber' },
  verified: { words: 'Vérifié', tone: 'green' },
  reported: { words: 'Signalé', tone: 'red' },
  broken: { words: 'En panne', tone: 'red' },
};

/** A payment type's own codes, one a country (P18.5): what payers dial where the service has no code of that wallet. */
export function DialTemplatesDialog({ type, onClose }: { type: PaymentType; onClose: () => void }) {
  const query = useEndpoint(listDialTemplates, { params: { id: String(type.id) } });
  const call = useCall();
  const attempt = useAttempt();
  const [edited, setEdited] = useState<CountryCode>();
  const [deleted, setDeleted] = useState<DialTemplate>();
  const remove = async ({ id }: DialTemplate) => {
    const write = async () => {
      await call(deleteDialTemplate, { params: { id: String(type.id), templateId: String(id) } });
      return { title: 'Code supprimé' };
    };
    if (await attempt(write, { fallback: 'Impossible de supprimer ce code.' }, listDialTemplates))
      setDeleted(undefined);
  };
  return (
    <Dialog wide title={`Codes de «\u00a0${type.name}\u00a0»`} onClose={onClose}>
      <p className="mt-2 text-soft">{`Le code que l'on compose pour payer par ${type.name}, quand le service n'a pas de code de ce portefeuille. Essayez-le vous-même avant de le marquer vérifié.`}</p>
      <QueryState query={query} loading="Chargement des codes..." failure="Impossible de charger les codes.">
        {(templates) => (
          <ul className="mt-4 flex flex-col gap-3">
            {countriesOf(type, templates).map(({ code, flag, name }) => {
              const stored = templates.find(({ country }) => country === code);
              const of = `le code de ${type.name}, ${name}`;
              return (
                <li key={code} className="flex flex-col gap-2.5 rounded-card border border-line p-3.5">
                  <div className="flex flex-wrap items-center justify-between gap-2">
                    <h3 className="font-semibold">
                      <span aria-hidden="true">{flag}</span> {name}
                    </h3>
                    {stored && <Badge tone={states[stored.state].tone}>{states[stored.state].words}</Badge>}
                  </div>
                  {edited === code ? (
                    <TemplateForm type={type} country={code} stored={stored} onDone={() => setEdited(undefined)} />
                  ) : (
                    <>
                      {stored ? <TemplateFacts stored={stored} /> : <p className="text-soft text-sm">Sans code</p>}
                      <div className="flex flex-wrap gap-1.5 sm:*:flex-none">
                        <RowButton
                          small
                          name={stored ? 'Modifier' : 'Ajouter un code'}
                          of={of}
                          variant="plain"
                          onClick={() => setEdited(code)}
                        />
                        {stored && (
                          <RowButton
                            small
                            name="Supprimer"
                            of={of}
                            variant="danger"
                            onClick={() => setDeleted(stored)}
                          />
                        )}
                      </div>
                    </>
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </QueryState>
      <DialogButtons className="mt-5">
        <Button variant="plain" onClick={onClose}>
          Fermer
        </Button>
      </DialogButtons>
      {deleted && (
        <ConfirmDialog
          title={'Supprimer ce code\u00a0?'}
          confirm="Supprimer"
          onConfirm={() => remove(deleted)}
          onClose={() => setDeleted(undefined)}
        >
          <p>{`${type.name} n'aura plus de code ici (${findCountry(deleted.country)?.name}). Les tickets gardent le leur.`}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

/** Those of the type, and those that have a code already. */
const countriesOf = (type: PaymentType, templates: readonly DialTemplate[]) =>
  countries
    .map((country) => ({ ...country, code: country.code as CountryCode }))
    .filter(
      ({ code }) =>
        type.countries.length === 0 ||
        type.countries.includes(code) ||
        templates.some(({ country }) => country === code),
    );

function TemplateFacts({ stored }: { stored: DialTemplate }) {
  const { template, merchant, message, reports, verifiedAt, source } = stored;
  return (
    <ul className="flex flex-col gap-0.5 text-sm">
      <li className="break-all font-mono font-semibold text-base">{template}</li>
      {merchant === placeholderMerchant ? (
        <li className="font-medium text-amber">{`Le numéro marchand ${merchant} est celui de l'exemple\u00a0: personne ne reçoit l'argent.`}</li>
      ) : (
        merchant && <li>{`Numéro marchand\u00a0: ${merchant}`}</li>
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

const chosenStates = ['unverified', 'verified', 'broken'] as const;

function TemplateForm({
  type,
  country,
  stored,
  onDone,
}: {
  type: PaymentType;
  country: CountryCode;
  stored: DialTemplate | undefined;
  onDone: () => void;
}) {
  const [{ template, merchant }, setCode] = useState({
    template: stored?.template ?? '',
    merchant: stored?.merchant ?? '',
  });
  const [state, setState] = useState<(typeof chosenStates)[number]>('unverified');
  const call = useCall();
  const toast = useToast();
  const refresh = useRefresh();
  const digits = merchant.replace(/\s/g, '');
  const { form, errors, busy } = useForm<{ template: string; merchant: string; message: string | null }>({
    read: ({ message = '' }) => {
      const problem = dialTemplateProblem(template.trim(), digits);
      return problem
        ? { errors: { template: problem } }
        : { data: { template: template.trim(), merchant, message: message.trim() || null } };
    },
    send: async ({ message, ...code }) => {
      const id = String(type.id);
      if (stored)
        await call(updateDialTemplate, {
          params: { id, templateId: String(stored.id) },
          body: { ...code, state, message, expectedUpdatedAt: stored.updatedAt },
        });
      else await call(createDialTemplate, { params: { id }, body: { ...code, country } });
      const advice = 'Composez-le vous-même, puis marquez-le vérifié.';
      toast({ title: 'Code enregistré', ...(state === 'unverified' && { description: advice }) });
    },
    failure: { fallback: "Le code n'a pas pu être enregistré." },
    after: async (error) => {
      await refresh(listDialTemplates);
      if (!error) onDone();
    },
  });
  const example = { total: 1_500, beneficiary: '70123456', serviceId: 1, merchant: digits || placeholderMerchant };
  return (
    <form {...form} className="flex flex-col gap-3.5">
      <Field
        label="Code"
        name="template"
        required
        autoComplete="off"
        spellCheck={false}
        className="font-mono"
        value={template}
        error={errors.template}
        hint="Repères : {marchand}, {montant}, {beneficiaire} et {service}."
        onChange={({ target }) => setCode({ template: target.value, merchant })}
      />
      <Field
        label="Numéro marchand"
        name="merchant"
        inputMode="numeric"
        autoComplete="off"
        value={merchant}
        error={errors.merchant}
        hint="Celui que l'opérateur vous a donné."
        onChange={({ target }) => setCode({ template, merchant: target.value })}
      />
      {template && (
        <p className="text-sm">
          Pour 1 500 FCFA&nbsp;: <strong className="break-all font-mono">{fillDialTemplate(template, example)}</strong>
        </p>
      )}
      {stored && (
        <SelectField
          label="État"
          value={state}
          hint="Un code en panne n'est plus donné à personne. Les services qui ont leur propre code le gardent."
          onChange={({ target }) => setState(chosenStates.find((each) => each === target.value) ?? 'unverified')}
        >
          {chosenStates.map((each) => (
            <option key={each} value={each}>
              {each === 'verified' ? "Vérifié aujourd'hui" : states[each].words}
            </option>
          ))}
        </SelectField>
      )}
      {state === 'broken' && (
        <Field
          label="Message aux payeurs (facultatif)"
          name="message"
          maxLength={200}
          autoComplete="off"
          defaultValue={stored?.message ?? ''}
          error={errors.message}
          hint="Par exemple : Orange Money est en panne ce matin, payez par Moov."
        />
      )}
      <DialogFoot inPage busy={busy} onCancel={onDone}>
        Enregistrer
      </DialogFoot>
    </form>
  );
}
