import { type ClipboardEvent, type KeyboardEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { otpLength } from '#contract/auth.ts';
import { join } from '#web/ui/join.ts';
import { enterDigits, spreadCode } from './code-digits.ts';

interface Props {
  code: string[];
  /** Whether the code takes no further try. */
  closed?: boolean;
  /** The id of the sentence that says why the last code was refused, until the next one. */
  refused: string | undefined;
  onChange: (code: string[]) => void;
}

/**
 * One box per digit. A pasted or autofilled code spreads over all boxes; a maxlength would cut the phone's autofill
 * from the SMS. Backspace in an empty box moves back.
 */
export function CodeBoxes({ code, closed, refused, onChange }: Props) {
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const focus = (index: number) => boxes.current[Math.min(Math.max(index, 0), otpLength - 1)]?.focus();
  /** What a keyboard composes in a box, left as it stands there until its end. */
  const [composed, setComposed] = useState<{ index: number; text: string }>();

  const enter = (index: number, { currentTarget, nativeEvent }: SyntheticEvent<HTMLInputElement>) => {
    const typed = currentTarget.value;
    if ((nativeEvent as InputEvent).isComposing) return setComposed({ index, text: typed });
    setComposed(undefined);
    const entered = enterDigits(code, index, typed);
    onChange(entered.code);
    focus(entered.next);
  };
  const onKeyDown = (index: number, event: KeyboardEvent<HTMLInputElement>) => {
    // The disabled button of an incomplete code stops Enter: the form says what is missing.
    if (event.key === 'Enter' && code.includes('')) event.currentTarget.form?.requestSubmit();
    if (event.key === 'Backspace' && !code[index]) focus(index - 1);
    if (event.key === 'ArrowLeft') focus(index - 1);
    if (event.key === 'ArrowRight') focus(index + 1);
  };
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault();
    const pasted = spreadCode(event.clipboardData.getData('text'));
    if (pasted[0] === '') return;
    onChange(pasted);
    focus(pasted.filter(Boolean).length);
  };

  useEffect(() => {
    if (!closed) boxes.current[0]?.focus();
  }, [closed]);
  useCodeOfSms((received) => onChange(spreadCode(received)));

  return (
    <fieldset disabled={closed} className={join('grid grid-cols-4 gap-3', refused && 'shake')}>
      <legend className="sr-only">{`Code à ${otpLength} chiffres`}</legend>
      {code.map((digit, index) => (
        <input
          // The boxes never move, so a box's place identifies it.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={index}
          ref={(box) => {
            boxes.current[index] = box;
          }}
          aria-label={`Chiffre ${index + 1}`}
          aria-invalid={refused ? true : undefined}
          aria-describedby={refused}
          inputMode="numeric"
          enterKeyHint="go"
          autoComplete={index === 0 ? 'one-time-code' : 'off'}
          value={composed?.index === index ? composed.text : digit}
          onChange={(event) => enter(index, event)}
          onCompositionEnd={(event) => enter(index, event)}
          onKeyDown={(event) => onKeyDown(index, event)}
          onPaste={onPaste}
          className="h-16 w-full min-w-0 rounded-xl border border-edge bg-card text-center font-bold text-display text-ink disabled:border-line disabled:bg-transparent aria-invalid:border-brick aria-invalid:ring-1 aria-invalid:ring-brick"
        />
      ))}
    </fieldset>
  );
}

/** WebOTP: Chrome on Android provides the code of an SMS whose last line names this site. */
function useCodeOfSms(onReceived: (code: string) => void): void {
  const latest = useRef(onReceived);
  latest.current = onReceived;
  useEffect(() => {
    if (!('OTPCredential' in window)) return;
    const waiting = new AbortController();
    navigator.credentials
      .get({ otp: { transport: ['sms'] }, signal: waiting.signal } as CredentialRequestOptions)
      .then((found) => {
        const { code: received } = (found ?? {}) as { code?: string };
        if (received) latest.current(received);
      })
      .catch(() => {});
    return () => waiting.abort();
  }, []);
}
