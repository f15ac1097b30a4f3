import { useEffect, useRef, useState } from 'react';
import { countryOf, findCountry, formatPhone } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import { BeneficiaryNameField } from '#web/account/beneficiary-name.tsx';
import { groupPhone, phoneText, type TypedPhone } from '#web/forms/grouped-typing.ts';
import { PhoneField } from '#web/forms/phone-field.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { useBeneficiaries } from '#web/session/beneficiaries.tsx';
import { Button } from '#web/ui/button.tsx';
import { join } from '#web/ui/join.ts';
import { KnownNumbers } from './known-numbers.tsx';

interface Props {
  phone: TypedPhone;
  /** The error of the last confirmation. A number says itself what is wrong with it, until it is right. */
  refused: string | undefined;
  onChange: (phone: TypedPhone) => void;
}

/** The beneficiary's number: typed, the person's own, or of an earlier order; shown as it will be dialled. */
export function BeneficiaryField({ phone, refused, onChange }: Props) {
  const { user } = useAuth();
  const { data: named } = useBeneficiaries();
  const reading = readPhone(phoneText(phone), phone.code);
  const chosen = 'e164' in reading ? reading.e164 : undefined;
  const name = named?.find((each) => each.phone === chosen)?.name;
  // Old Benin numbers, two digits short, get the new prefix as a hint.
  const whole = phone.code === '+229' ? 8 : (findCountry(phone.code)?.groups.reduce((sum, group) => sum + group) ?? 8);
  const isLong = phone.number.replace(/\P{Nd}/gu, '').length >= whole;
  const isEmpty = !phone.number.trim();
  /** Whether the person has left the number, its country and the known numbers: then it is no longer being typed. */
  const [isLeft, setLeft] = useState(false);
  const problem = 'problem' in reading && (isLong || isLeft || refused) ? reading.problem : undefined;
  const isNameable = user?.isGuest === false && chosen !== undefined && chosen !== user.phone;
  const choose = (text: string) => onChange(groupPhone({ text, caret: 0 }, phone.code));
  return (
    <fieldset
      className="min-w-0"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setLeft(!isEmpty);
      }}
    >
      <div className="relative">
        <PhoneField
          label="Numéro du bénéficiaire"
          name="beneficiary"
          autoComplete="off"
          value={phone}
          onChange={(typed) => {
            setLeft(false);
            onChange(typed);
          }}
          above={user && !user.isGuest && <KnownNumbers user={user} chosen={chosen} onChoose={choose} />}
          noteClass="min-h-9"
          error={isEmpty ? refused : problem}
          hint={
            // Two lines on a phone, as an error has: one that appears moves no control under a finger.
            <span
              className={join(
                'flex min-h-9 leading-snug',
                chosen && 'font-medium text-leaf-dark',
                isNameable && 'items-center pr-22 @max-[17rem]:pr-0',
              )}
            >
              <span className="line-clamp-2 @max-[17rem]:line-clamp-none">
                {chosen
                  ? `Bénéficiaire\u00a0: ${name ?? countryOf(chosen)?.name} · ${formatPhone(chosen).replaceAll(' ', '\u00a0')}`
                  : "Le numéro mobile qui reçoit le service, dans l'un des sept pays."}
              </span>
            </span>
          }
        />
        {isNameable && named && <Naming key={chosen} phone={chosen} name={name} />}
      </div>
    </fieldset>
  );
}

/** The name of the chosen number, given or changed in place: beside its hint a button, which opens a field below. */
function Naming({ phone, name }: { phone: string; name: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  /** Whether the field was closed here, which leaves the focus to the button. */
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (isOpen)
    return (
      <div className="mt-1.5">
        <BeneficiaryNameField phone={phone} name={name ?? ''} onDone={() => setOpen(false)} />
      </div>
    );
  return (
    <Button
      ref={opener}
      variant="quiet"
      tight
      className="absolute -right-3 -bottom-1 text-body @max-[17rem]:static @max-[17rem]:-ml-3"
      onClick={() => setOpen(true)}
    >
      <span>
        <span>{name ? 'Renommer' : 'Nommer'}</span>
        <span className="sr-only"> ce numéro</span>
      </span>
    </Button>
  );
}
