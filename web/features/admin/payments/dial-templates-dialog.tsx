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
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ConfirmDialog, DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { useDraft, useSaveForm } from '#web/features/admin/shared/draft.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { useAttempt } from '#web/features/admin/shared/use-attempt.ts';
import { formatDate } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { QueryState } from '#web/ui/query-state.tsx';

const states: Record<DialTemplateState, { words: string; tone: 'green' | 'amber' | 'red' | 'grey' }> = {
  unverified: { words: 'À vérifier', tone: 'amber' },
  verified: { words: 'Vérifié', tone: 'green' },
  reported: { words: 'Signalé', tone: 'red' },
  broken: { words: 'En panne', tone: 'red' },
};

/** A payment type's own codes, one a country (P18.5): what payers dial where the service has no code of that wallet. */
export function DialTemplatesDialog({ type, onClose }: { type: PaymentType; onClose: () => void }) {
  const params = { id: String(type.id) };
  const query = useEndpoint(listDialTemplates, { params });
  const [edited, setEdited] = useState<CountryCode>();
  return (
    <Dialog wide title={`Codes de «\u00a0${type.name}\u00a0»`} onClose={onClose}>
      <p className="mt-2 text-soft">{`Le code que l'on compose pour payer par ${type.name}, quand le service n'a pas de code de ce portefeuille. Essayez-le vous-même avant de le marquer vérifié.`}</p>
      <QueryState query={query} loading="Chargement des codes..." failure="Impossible de charger les codes.">
        {(templates) => (
          <ul className="mt-4 flex flex-col gap-3">
            {countriesOf(type, templates).map((country) => {
              const stored = templates.find((each) => each.country === country);
              return (
                <li key={country} className="rounded-card border border-line p-3.5">
                  {edited === country ? (
                    <TemplateForm
                      type={type}
                      country={country}
                      stored={stored}
                      onDone={() => setEdited((now) => (now === country ? undefined : now))}
                    />
                  ) : (
                    <TemplateRow type={type} country={country} stored={stored} onEdit={() => setEdited(country)} />
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
    </Dialog>
  );
}

/** Those of the type, and those that have a code already. */
const countriesOf = (type: PaymentType, templates: readonly DialTemplate[]): CountryCode[] =>
  countries
    .map(({ code }) => code as CountryCode)
    .filter(
      (code) =>
        type.countries.length === 0 ||
        type.countries.includes(code) ||
        templates.some(({ country }) => country === code),
    );

interface RowProps {
  type: PaymentType;
  country: CountryCode;
  stored: DialTemplate | undefined;
}

function TemplateRow({ type, country, stored, onEdit }: RowProps & { onEdit: () => void }) {
  const [asked, setAsked] = useState<'broken' | 'delete'>();
  const { judge, remove } = useJudgeTemplate(type);
  const { flag, name } = findCountry(country) ?? { flag: '', name: country };
  const of = `le code de ${type.name}, ${name}`;
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold">
          <span aria-hidden="true">{flag}</span> {name}
        </h3>
        {stored ? (
          <Badge tone={states[stored.state].tone}>{states[stored.state].words}</Badge>
        ) : (
          <span className="text-soft text-sm">Sans code</span>
        )}
      </div>
      {stored && (
        <>
          <p className="break-all font-mono font-semibold">{stored.template}</p>
          <TemplateFacts stored={stored} />
        </>
      )}
      <div className="flex flex-wrap gap-1.5">
        {stored ? (
          <>
            <RowButton small name="Vérifié aujourd'hui" of={of} onClick={() => judge(stored, 'verified')} />
            <RowButton small name="En panne" of={of} variant="danger" onClick={() => setAsked('broken')} />
            <RowButton small name="Modifier" of={of} variant="plain" onClick={onEdit} />
            <RowButton small name="Supprimer" of={of} variant="danger" onClick={() => setAsked('delete')} />
          </>
        ) : (
          <RowButton small name="Ajouter un code" of={`de ${type.name}, ${name}`} variant="plain" onClick={onEdit} />
        )}
      </div>
      {stored && asked === 'broken' && (
        <BrokenDialog
          stored={stored}
          onConfirm={(message) => judge(stored, 'broken', message)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {stored && asked === 'delete' && (
        <ConfirmDialog
          title={'Supprimer ce code\u00a0?'}
          confirm="Supprimer"
          onConfirm={async () => {
            if (await remove(stored)) setAsked(undefined);
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{`${type.name} n'aura plus de code ici (${name}). Les tickets gardent le leur.`}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function TemplateFacts({ stored }: { stored: DialTemplate }) {
  const { merchant, message, reports, verifiedAt, source } = stored;
  return (
    <ul className="flex flex-col gap-0.5 text-sm">
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

function BrokenDialog({
  stored,
  onConfirm,
  onClose,
}: {
  stored: DialTemplate;
  onConfirm: (message: string) => Promise<boolean>;
  onClose: () => void;
}) {
  const [message, setMessage] = useState(stored.message ?? '');
  return (
    <ConfirmDialog
      title={'Marquer ce code en panne\u00a0?'}
      confirm="Marquer en panne"
      onConfirm={async () => {
        if (await onConfirm(message)) onClose();
      }}
      onClose={onClose}
    >
      <p>Il n'est plus donné à personne tant qu'il est en panne. Les services qui ont leur propre code le gardent.</p>
      <Field
        label="Message aux payeurs (facultatif)"
        maxLength={200}
        autoComplete="off"
        value={message}
        hint="Par exemple : Orange Money est en panne ce matin, payez par Moov."
        onChange={({ target }) => setMessage(target.value)}
      />
    </ConfirmDialog>
  );
}

/** Judgements of a template, and its deletion; each resolves with its success, after the list is read again. */
function useJudgeTemplate(type: PaymentType) {
  const call = useCall();
  const attempt = useAttempt();
  const paramsOf = ({ id }: DialTemplate) => ({ id: String(type.id), templateId: String(id) });
  return {
    judge: (stored: DialTemplate, state: 'verified' | 'broken', message = '') => {
      const { template, merchant, updatedAt } = stored;
      const body = { template, merchant, state, message: message.trim() || null, expectedUpdatedAt: updatedAt };
      return attempt(
        async () => {
          await call(updateDialTemplate, { params: paramsOf(stored), body });
          return { title: state === 'verified' ? 'Code vérifié' : 'Code en panne', description: template };
        },
        { fallback: 'Impossible de modifier ce code.' },
        listDialTemplates,
      );
    },
    remove: (stored: DialTemplate) =>
      attempt(
        async () => {
          await call(deleteDialTemplate, { params: paramsOf(stored) });
          return { title: 'Code supprimé' };
        },
        { fallback: 'Impossible de supprimer ce code.' },
        listDialTemplates,
      ),
  };
}

const nothing = { template: '', merchant: '', updatedAt: null };
const codeOf = ({ template, merchant }: Pick<DialTemplate, 'template' | 'merchant'>) => ({ template, merchant });

function TemplateForm({ type, country, stored, onDone }: RowProps & { onDone: () => void }) {
  const copy = useDraft(stored ?? nothing, codeOf);
  const { template, merchant } = copy.draft;
  const change = (fields: Partial<typeof copy.draft>) => copy.change((before) => ({ ...before, ...fields }));
  const call = useCall();
  const { form, errors, busy, question } = useSaveForm<typeof copy.draft>({
    read: () => {
      const problem = dialTemplateProblem(template.trim(), merchant.replace(/\s/g, ''));
      return problem ? { errors: { template: problem } } : { data: { template: template.trim(), merchant } };
    },
    send: async (code, version) => {
      const id = String(type.id);
      if (stored)
        await call(updateDialTemplate, {
          params: { id, templateId: String(stored.id) },
          body: { ...code, state: 'unverified', message: null, ...version },
        });
      else await call(createDialTemplate, { params: { id }, body: { ...code, country } });
      onDone();
      return { title: 'Code enregistré', description: 'Composez-le vous-même, puis marquez-le vérifié.' };
    },
    expectedUpdatedAt: copy.expectedUpdatedAt,
    write: { endpoint: updateDialTemplate },
    failure: { fallback: "Le code n'a pas pu être enregistré." },
    refetch: listDialTemplates,
    onReload: copy.reload,
  });
  const example = fillDialTemplate(template, {
    total: 1_500,
    beneficiary: '70123456',
    serviceId: 1,
    merchant: merchant.replace(/\s/g, '') || placeholderMerchant,
  });
  return (
    <form {...form} className="flex flex-col gap-3.5">
      <h3 className="font-semibold">{findCountry(country)?.name}</h3>
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
        onChange={({ target }) => change({ template: target.value })}
      />
      <Field
        label="Numéro marchand"
        name="merchant"
        inputMode="numeric"
        autoComplete="off"
        value={merchant}
        error={errors.merchant}
        hint="Celui que l'opérateur vous a donné."
        onChange={({ target }) => change({ merchant: target.value })}
      />
      {template && (
        <p className="text-sm">
          Pour 1 500 FCFA&nbsp;: <strong className="break-all font-mono">{example}</strong>
        </p>
      )}
      {question}
      <DialogFoot inPage busy={busy} onCancel={onDone}>
        Enregistrer
      </DialogFoot>
    </form>
  );
}
