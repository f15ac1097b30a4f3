import { changePassword, changePasswordForm } from '#contract/own-account.ts';
import { formatPhone } from '#contract/phone.ts';
import type { User } from '#contract/users.ts';
import { useCall } from '#web/api/use-call.ts';
import { NewPasswordFields } from '#web/forms/new-password-fields.tsx';
import { readForm } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useAuth } from '#web/session/auth.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { OwnFormFoot } from './own-form-foot.tsx';
import { forgetRenewedPush } from './renew-push.ts';

/** Changes one's own password, given the present one. Every other session ends. */
export function ChangePasswordForm({
  user,
  onDone,
  onCancel,
}: {
  user: User;
  onDone: () => void;
  onCancel?: () => void;
}) {
  const call = useCall();
  const { setUser } = useAuth();
  const { form, errors, busy } = useForm({
    read: (values) => readForm(changePasswordForm, values),
    send: async (body) => {
      // A new session in effect: a poll with the earlier cookie must not end it.
      setUser({ ...user });
      await call(changePassword, { body });
      // The server removed this browser's subscription with all others.
      forgetRenewedPush();
      setUser({ ...user });
      onDone();
      return { title: 'Mot de passe modifié', description: 'Vos autres appareils ont été déconnectés.' };
    },
    failure: { fallback: 'Impossible de modifier le mot de passe.' },
  });
  return (
    <form {...form} className="flex flex-col gap-5 short:grid short:grid-cols-2 short:gap-3">
      {/* Password managers store the new password under it. */}
      <input type="text" autoComplete="username" value={formatPhone(user.phone)} readOnly hidden />
      <div className="col-span-full">
        <PasswordField
          label="Mot de passe actuel"
          name="currentPassword"
          autoComplete="current-password"
          enterKeyHint="next"
          error={errors.currentPassword}
        />
      </div>
      <NewPasswordFields name="newPassword" label="Nouveau mot de passe" errors={errors} />
      <OwnFormFoot busy={busy} onCancel={onCancel}>
        {busy ? 'Changement...' : onCancel ? 'Changer' : 'Changer le mot de passe'}
      </OwnFormFoot>
    </form>
  );
}
