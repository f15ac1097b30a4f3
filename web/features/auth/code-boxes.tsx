import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { otpLength } from '#contract/auth.ts';

/** The digits of a code, one per box, padded with empty ones. */
function spread(digits: string): string[] {
  return Array.from({ length: otpLength }, (_, index) => digits[index] ?? '');
}

/**
 * One box per digit. A pasted or autofilled code spreads over all boxes; a maxlength would cut the phone's autofill
 * from the SMS. Backspace in an empty box moves back.
 */
export function CodeBoxes({ code, onChange }: { code: string[]; onChange: (code: string[]) => void }) {
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const focus = (index: number) => boxes.current[Math.min(Math.max(index, 0), otpLength - 1)]?.focus();

  const enter = (index: number, typed: string) => {
    const digits = typed.replace(/\D/g, '');
    // Typing into a full box gives two characters: the new one counts.
    const fresh = digits.length === 2 && code[index] ? digits.replace(code[index], '').slice(-1) : digits;
    const next = [...code];
    if (fresh === '') next[index] = '';
    for (const [offset, digit] of [...fresh].entries()) if (index + offset < otpLength) next[index + offset] = digit;
    onChange(next);
    if (fresh) focus(index + fresh.length);
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
    const digits = event.clipboardData.getData('text').replace(/\D/g, '').slice(0, otpLength);
    if (digits === '') return;
    onChange(spread(digits));
    focus(digits.length);
  };

  useEffect(() => boxes.current[0]?.focus(), []);

  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    // WebOTP: Chrome on Android provides the code of an SMS whose last line names this site.
    if (!('OTPCredential' in window)) return;
    const waiting = new AbortController();
    navigator.credentials
      .get({ otp: { transport: ['sms'] }, signal: waiting.signal } as CredentialRequestOptions)
      .then((found) => {
        const { code: received } = (found ?? {}) as { code?: string };
        if (received) latest.current(spread(received));
      })
      .catch(() => {});
    return () => waiting.abort();
  }, []);

  return (
    <fieldset className="grid grid-cols-4 gap-3">
      <legend className="sr-only">Code à {otpLength} chiffres</legend>
      {code.map((digit, index) => (
        <input
          // The boxes never move, so a box's place identifies it.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={index}
          ref={(box) => {
            boxes.current[index] = box;
          }}
          aria-label={`Chiffre ${index + 1}`}
          inputMode="numeric"
          enterKeyHint="go"
          autoComplete={index === 0 ? 'one-time-code' : 'off'}
          value={digit}
          onChange={(event) => enter(index, event.target.value)}
          onKeyDown={(event) => onKeyDown(index, event)}
          onPaste={onPaste}
          className="h-16 w-full min-w-0 rounded-xl border border-edge bg-card text-center font-bold text-3xl text-ink"
        />
      ))}
    </fieldset>
  );
}
