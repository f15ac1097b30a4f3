import { commissionTypes } from '#contract/catalogue.ts';
import { Field, SelectField } from '#web/ui/field.tsx';
import type { FormPart } from './form-parts.ts';
import { RangeEditor } from './range-editor.tsx';

const types: Record<(typeof commissionTypes)[number], string> = {
  fixed: 'Fixe (FCFA)',
  percentage: 'Pourcentage',
  range: 'Par tranches',
};

/** The commission of a final service. */
export function CommissionFields(part: FormPart) {
  const { draft, errors, change } = part;
  const isRange = draft.commissionType === 'range';
  return (
    <>
      <div className="grid items-start gap-4 @sm:grid-cols-2">
        <SelectField
          label="Type de commission"
          value={draft.commissionType}
          error={errors.commissionType}
          onChange={({ target }) =>
            change({ commissionType: commissionTypes.find((each) => each === target.value) ?? 'fixed' })
          }
        >
          {commissionTypes.map((type) => (
            <option key={type} value={type}>
              {types[type]}
            </option>
          ))}
        </SelectField>
        {!isRange && (
          <Field
            label={draft.commissionType === 'fixed' ? 'Valeur (FCFA)' : 'Valeur (%)'}
            inputMode="decimal"
            autoComplete="off"
            value={draft.commissionValue}
            error={errors.commissionValue}
            onChange={({ target }) => change({ commissionValue: target.value })}
          />
        )}
      </div>
      {isRange && <RangeEditor {...part} />}
    </>
  );
}
