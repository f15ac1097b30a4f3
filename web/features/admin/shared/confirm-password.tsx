import { createContext, type ReactNode, use, useCallback, useState } from 'react';
import { confirmPassword, confirmPasswordForm } from '#contract/own-account.ts';
import { formatPhone } from '#contract/phone.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { readForm } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useAuth } from '#web/session/auth.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { DialogFoot } from './confirm-dialog.tsx';

type Confirmed = <T>(write: () => Promise<T>) => Promise<T | undefined>;
const ConfirmedContext = createContext<Confirmed>((write) => write());

/**
 * Runs a write that grants rights. If the server demands the password, the panel asks for it and retries. Undefined if
 * the administrator declined.
 */
export const useConfirmed = (): Confirmed => use(ConfirmedContext);

export function ConfirmPasswordProvider({ children }: { children: ReactNode }) {
  const [answer, setAnswer] = useState<(isGiven: boolean) => void>();
  const confirmed = useCallback(async <T,>(write: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await write();
    } catch (error) {
      if (!hasCode(error, 'PASSWORD_NEEDED')) throw error;
    }
    const isGiven = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
    setAnswer(undefined);
    return isGiven ? write() : undefined;
  }, []);
  return (
    <ConfirmedContext value={confirmed}>
      {children}
      {/* Rendered last, so that it stacks above the requesting dialog. */}
      {answer && <ConfirmPasswordDialog onAnswer={answer} />}
    </ConfirmedContext>
  );
}

function ConfirmPasswordDialog({ onAnswer }: { onAnswer: (isGiven: boolean) => void }) {
  const call = useCall();
  const { user } = useAuth();
  const { form, errors, busy } = useForm({
    read: (values) => readForm(confirmPasswordForm, values),
    send: async (body) => {
      await call(confirmPassword, { body });
      onAnswer(true);
    },
    failure: { fallback: 'Impossible de confirmer le mot de passe.' },
  });
  return (
    <Dialog title="Confirmez votre mot de passe" onClose={() => onAnswer(false)}>
      <form {...form} className="mt-3 flex flex-col gap-5">
        <p>Vous ne l'avez pas saisi depuis plus d'une heure. L'action sera faite ensuite.</p>
        <input type="text" autoComplete="username" value={formatPhone(user?.phone ?? '')} readOnly hidden />
        <PasswordField
          label="Votre mot de passe"
          name="password"
          autoComplete="current-password"
          enterKeyHint="done"
          error={errors.password}
        />
        <DialogFoot busy={busy} onCancel={() => onAnswer(false)}>
          Confirmer
        </DialogFoot>
      </form>
    </Dialog>
  );
}
