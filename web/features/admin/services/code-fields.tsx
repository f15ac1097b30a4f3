import { useState } from 'react';
import { dialTemplateProblem, fillDialTemplate } from '#contract/dial-code.ts';
import { parseTypedAmount } from '#contract/money.ts';
import { defaultCountryCode, findCountry, nationalDigits } from '#contract/phone.ts';
import { listedAmount, priceOf } from '#contract/pricing.ts';
import { readPhone } from '#contract/read-phone.ts';
import { formatAmount, formatCount } from '#web/text/formats.ts';
import { Field } from '#web/ui/field.tsx';
import { ruleOf, type ServicePart } from './service-draft.ts';
import { pathOf } from './service-tree.ts';

/** Used without a listed price. */
const sampleAmount = 1000;

/** The number to call or the code to dial, with a preview for a sample order. */
export function CodeFields({ draft, errors, text, tree, id }: ServicePart) {
  const template = draft.phoneNumber.trim();
  const problem = template ? dialTemplateProblem(template) : undefined;
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Code à composer"
        className="font-mono"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        maxLength={80}
        placeholder="*144*10*XX#"
        {...text('phoneNumber')}
        error={problem ?? errors.phoneNumber}
        hint={
          <span>
            Un numéro, ou un code. Se remplissent seuls : <code>XX</code> ou <code>{'{montant}'}</code>, le total ;{' '}
            <code>{'{beneficiaire}'}</code>, son numéro sans indicatif ; <code>{'{service}'}</code>, le numéro du
            service.
          </span>
        }
      />
      {template && !problem && <Sample template={template} draft={draft} tree={tree} id={id} />}
    </div>
  );
}

function Sample({ template, draft, tree, id }: { template: string } & Pick<ServicePart, 'draft' | 'tree' | 'id'>) {
  const [typedAmount, setAmount] = useState<string>();
  const [beneficiary, setBeneficiary] = useState(findCountry(defaultCountryCode)?.example ?? '');
  const listed = listedAmount([...pathOf(tree, draft.parentId), { price: draft.price }]) || sampleAmount;
  const shownAmount = typedAmount ?? formatCount(listed);
  const amount = parseTypedAmount(shownAmount);
  const price = amount === undefined ? undefined : priceOf(amount, ruleOf(draft));
  const phone = readPhone(beneficiary, defaultCountryCode);
  return (
    <div className="@container rounded-xl bg-ground p-3">
      <div className="grid gap-3 @sm:grid-cols-2">
        <Field
          label="Montant d'essai"
          inputMode="numeric"
          autoComplete="off"
          value={shownAmount}
          onChange={({ target }) => setAmount(target.value)}
        />
        <Field
          label="Bénéficiaire d'essai"
          type="tel"
          autoComplete="off"
          value={beneficiary}
          error={'problem' in phone ? phone.problem : undefined}
          onChange={({ target }) => setBeneficiary(target.value)}
        />
      </div>
      <p role="status" className="mt-3 text-sm">
        {price && 'e164' in phone ? (
          <>
            <span>{`Pour ${formatAmount(price.total)} : `}</span>
            <strong className="break-all font-mono">
              {fillDialTemplate(template, {
                total: price.total,
                beneficiary: nationalDigits(phone.e164),
                serviceId: id ?? 1,
              })}
            </strong>
            {price.commission > 0 && (
              <span className="block text-soft">{`dont ${formatAmount(price.commission)} de commission`}</span>
            )}
          </>
        ) : (
          'Saisissez un montant et un numéro pour voir le code.'
        )}
      </p>
    </div>
  );
}
