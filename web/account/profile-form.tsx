import { changeProfile, profileForm } from '#contract/own-account.ts';
import { formatPhone } from '#contract/phone.ts';
import type { User } from '#contract/users.ts';
import { useCall } from '#web/api/use-call.ts';
import { readForm } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useAuth } from '#web/session/auth.tsx';
import { Field } from '#web/ui/field.tsx';
import { NameFields } from './name-fields.tsx';
import { OwnFormFoot } from './own-form-foot.tsx';

/** Changes one's own name and e-mail address, and shows the number, which stays. */
export function ProfileForm({ user, onDone, onCancel }: { user: User; onDone?: () => void; onCancel?: () => void }) {
  const call = useCall();
  const { setUser } = useAuth();
  const { form, errors, busy } = useForm({
    read: (values) => readForm(profileForm, values),
    send: async (body) => {
      const answer = await call(changeProfile, { body });
      setUser(answer.user);
      onDone?.();
      return { title: 'Profil modifié' };
    },
    failure: { fallback: 'Impossible de modifier le profil.' },
  });
  return (
    <form {...form} className="flex flex-col gap-5 short:grid short:grid-cols-2 short:gap-3">
      <div className="col-span-full">
        <NameFields typed={user} errors={errors} />
      </div>
      <Field
        label="E-mail (facultatif)"
        name="email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="done"
        defaultValue={user.email ?? ''}
        error={errors.email}
      />
      <div>
        <p className="font-semibold text-body">Téléphone</p>
        <p className="tabular-nums">{formatPhone(user.phone)}</p>
        <p className="text-soft text-small">Le numéro ne change pas : c'est lui qui prouve que le compte est à vous.</p>
      </div>
      <OwnFormFoot busy={busy} onCancel={onCancel}>
        {busy ? 'Enregistrement...' : 'Enregistrer'}
      </OwnFormFoot>
    </form>
  );
}
