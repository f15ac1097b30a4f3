import { type FormEvent, useEffect, useRef, useState } from 'react';
import { otpCoolDownSeconds, otpLength, otpTries } from '#contract/auth.ts';
import { maskPhone } from '#contract/phone.ts';
import { spellWait } from '#contract/waiting.ts';
import { ApiError, hasCode } from '#web/api/client.ts';
import { type Done, useAction } from '#web/forms/use-action.ts';
import { goBack, Redirect } from '#web/router.tsx';
import { ClothTitle } from '#web/shell/cloth-title.tsx';
import { failureSentence } from '#web/text/failures.ts';
import { Button } from '#web/ui/button.tsx';
import { Column } from '#web/ui/page.tsx';
import { CodeBoxes } from './code-boxes.tsx';
import { readKept, readWait } from './code-state.ts';
import { keepWait } from './kept-for-code.ts';

interface Props {
  purpose: 'signup' | 'reset';
  /** The screen where the number is typed. */
  before: string;
  /** Restores the typed data if the code was requested in another tab. */
  onBack: (phone: string) => void;
  /** Checks the code and resolves with the toast of a right one; throws a refusal. */
  verify: (typed: { phone: string; code: string }) => Done;
  /** Sends another code and resolves with the seconds until the next one; `undefined` after leaving the screen. */
  resend: (phone: string) => Promise<number | undefined>;
}

const empty = Array.from({ length: otpLength }, () => '');

/** Time that never goes back, and time that goes on while the phone sleeps, both in milliseconds. */
const clocks = () => [performance.now(), Date.now()] as const;

/** A wait counted down on screen, in seconds. Whatever becomes of the phone's clock, it is never longer. */
function useCountdown(): [number, (seconds: number) => void] {
  const [{ seconds, since }, setWait] = useState(() => ({ seconds: readWait(), since: clocks() }));
  const [now, setNow] = useState(clocks);
  useEffect(() => {
    const timer = setInterval(() => setNow(clocks()), 1000);
    return () => clearInterval(timer);
  }, []);
  const passedMs = Math.max(0, now[0] - since[0], now[1] - since[1]);
  const begin = (next: number) => {
    keepWait(next);
    setWait({ seconds: next, since: clocks() });
  };
  return [Math.max(0, Math.ceil(seconds - passedMs / 1000)), begin];
}

/** The code being typed: its last digit sends it, and a refusal or another code empties it. */
function useCode(phone: string, { verify, resend }: Pick<Props, 'verify' | 'resend'>) {
  const [code, setCode] = useState(empty);
  const [wait, setWait] = useCountdown();
  const boxes = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  /** The reason for a second code. */
  const [notice, setNotice] = useState('');
  /** Why the last code was refused; the toast goes earlier. */
  const [refused, setRefused] = useState('');
  const entered = code.join('');
  const focusFirst = () => boxes.current?.querySelector('input')?.focus();
  /** Another code was sent; the argument is the wait in seconds before the next one. */
  const beginAgain = (seconds: number, why = '') => {
    setWait(seconds);
    setCode(empty);
    setRefusals(0);
    setNotice(why);
    setRefused('');
    focusFirst();
  };

  const reportCheck = (error: unknown) => {
    // The code was right, so this is no error.
    if (hasCode(error, 'SECOND_CODE')) {
      beginAgain(error.failure.retryAfter ?? 0, failureSentence(error, ''));
      return undefined;
    }
    const words = { title: 'Erreur de vérification', fallback: 'Code OTP invalide ou expiré.' };
    setRefused(failureSentence(error, words.fallback));
    focusFirst();
    // A code without an answer may be right: it stays for the next try.
    if (hasCode(error, 'CODE_INVALID')) {
      setCode(empty);
      setRefusals((counted) => counted + 1);
    }
    return words;
  };
  const check = useAction(
    async (digits: string) => {
      if (digits.length < otpLength)
        return { title: 'Code incomplet', description: 'Veuillez saisir le code à 4 chiffres.', destructive: true };
      setRefused('');
      return verify({ phone, code: digits });
    },
    { failure: reportCheck },
  );
  /** The last digit submits the code. */
  const change = (next: string[]) => {
    setCode(next);
    const digits = next.join('');
    if (digits.length === otpLength && digits !== entered) void check.run(digits);
  };
  const again = useSendAgain(() => resend(phone), { setWait, onSent: beginAgain });
  return { boxes, code, entered, change, check, wait, again, refusals, notice, refused };
}

/** Sends another code; the seconds are those until the next one. */
function useSendAgain(
  resend: () => Promise<number | undefined>,
  { setWait, onSent }: Record<'setWait' | 'onSent', (seconds: number) => void>,
) {
  const sendAgain = async () => {
    const seconds = await resend();
    if (seconds === undefined) return undefined;
    onSent(seconds);
    return { title: 'Code renvoyé', description: 'Un nouveau code vous a été envoyé par SMS.' };
  };
  return useAction(sendAgain, {
    failure(error) {
      const { retryAfter = 0 } = error instanceof ApiError ? error.failure : {};
      // A pause may end early, when an administrator raises a cap.
      if (retryAfter) setWait(hasCode(error, 'SMS_PAUSED') ? Math.min(retryAfter, otpCoolDownSeconds[0]) : retryAfter);
      return { fallback: 'Impossible de renvoyer le code.' };
    },
  });
}

/** The screen for a code from an SMS, at sign-up and for a password reset. Without a number it leads to the one before. */
export function CodeScreen({ purpose, before, onBack, verify, resend }: Props) {
  const [phone = ''] = useState(() => readKept(purpose === 'signup' ? 'verificationPhone' : 'resetPhone'));
  const { boxes, code, entered, change, check, wait, again, refusals, notice, refused } = useCode(phone, {
    verify,
    resend,
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void check.run(entered);
  };
  const back = () => {
    onBack(phone);
    goBack(before);
  };
  const isDead = refusals >= otpTries;
  if (!phone) return <Redirect to={before} />;

  return (
    <Column narrow>
      <ClothTitle onBack={back} step={purpose === 'reset' ? '2 sur 3' : undefined}>
        Vérification par SMS
      </ClothTitle>
      <form ref={boxes} onSubmit={onSubmit} className="flex flex-col gap-5 pt-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="w-full">Saisissez le code à 4 chiffres envoyé au</span>
          <strong className="text-large tabular-nums">{maskPhone(phone)}</strong>
          <Button variant="quiet" tight onClick={back}>
            Modifier
          </Button>
        </p>
        <CodeBoxes closed={isDead} code={code} refused={refused ? 'code-refused' : undefined} onChange={change} />
        {refused && !isDead && (
          <p id="code-refused" className="text-center text-brick">
            {refused}
          </p>
        )}
        <p role="status" className="rounded-xl bg-leaf-pale px-4 py-3 text-leaf-dark empty:hidden">
          {notice}
        </p>
        <p role="alert" className="text-center text-brick empty:hidden">
          {isDead && 'Ce code ne peut plus servir\u00a0: demandez un nouveau code.'}
        </p>
        {!isDead && (
          <Button type="submit" disabled={entered.length < otpLength} busy={check.busy}>
            {check.busy ? 'Vérification...' : 'Vérifier'}
          </Button>
        )}
        <Button
          variant={isDead ? 'main' : 'quiet'}
          tight
          className="disabled:font-normal"
          disabled={wait > 0}
          busy={again.busy}
          onClick={() => again.run()}
        >
          {wait > 0 ? `Renvoyer le code dans ${spellWait(wait)}` : 'Renvoyer le code'}
        </Button>
      </form>
    </Column>
  );
}
