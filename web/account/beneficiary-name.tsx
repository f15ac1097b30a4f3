import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { beneficiaryForm, beneficiaryNameLength, listBeneficiaries, saveBeneficiary } from '#contract/beneficiaries.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-refresh.ts';
import { readForm, serverErrors } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { failureSentence } from '#web/text/failures.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';

/** A field for the name of a number, also within the order's form: Enter saves only the name, Escape gives up. */
export function BeneficiaryNameField({ phone, name, onDone }: { phone: string; name: string; onDone: () => void }) {
  const [typed, setTyped] = useState(name);
  const [error, setError] = useState<string>();
  const field = useRef<HTMLDivElement>(null);
  const call = useCall();
  const refresh = useRefresh();
  const focus = useCallback(() => field.current?.querySelector('input')?.focus(), []);
  useEffect(focus, [focus]);
  const saving = useAction(async () => {
    const { data: body, errors } = readForm(beneficiaryForm, { name: typed });
    setError(errors?.name);
    if (!body) return focus();
    try {
      await call(saveBeneficiary, { params: { phone }, body });
      await refresh(listBeneficiaries);
      onDone();
    } catch (failure) {
      setError(serverErrors(failure).name ?? failureSentence(failure, "Le nom n'a pas pu être enregistré. Réessayez."));
      focus();
    }
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    if (event.key === 'Enter') void saving.run();
    else onDone();
  };
  return (
    <div ref={field} className="flex flex-col gap-2">
      <Field
        label="Nom du bénéficiaire"
        autoComplete="off"
        autoCapitalize="words"
        enterKeyHint="done"
        maxLength={beneficiaryNameLength}
        placeholder="Maman"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKeyDown}
        error={error}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" tight className="grow sm:grow-0" busy={saving.busy} onClick={() => saving.run()}>
          Enregistrer
        </Button>
        <Button variant="quiet" tight className="grow sm:grow-0" onClick={onDone}>
          Annuler
        </Button>
      </div>
    </div>
  );
}
