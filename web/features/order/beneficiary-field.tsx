import { countryOf, findCountry, formatPhone, readPhone } from '#contract/phone.ts';
import { listUserTickets } from '#contract/tickets.ts';
import { useList } from '#web/api/use-list.ts';
import { groupPhone, phoneText, type TypedPhone } from '#web/forms/grouped-typing.ts';
import { PhoneField } from '#web/forms/phone-field.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { join } from '#web/ui/join.ts';

const offered = 5;

interface Props {
  phone: TypedPhone;
  onChange: (phone: TypedPhone) => void;
}

/** The beneficiary's number: typed, the person's own, or of an earlier order; shown as it will be dialled. */
export function BeneficiaryField({ phone, onChange }: Props) {
  const { user } = useAuth();
  const reading = readPhone(phoneText(phone), phone.code);
  const chosen = 'e164' in reading ? reading.e164 : undefined;
  // Old Benin numbers, two digits short, get the new prefix as a hint.
  const whole = phone.code === '+229' ? 8 : (findCountry(phone.code)?.groups.reduce((sum, group) => sum + group) ?? 8);
  const isLong = phone.number.replace(/\P{Nd}/gu, '').length >= whole;
  const choose = (e164: string) => onChange(groupPhone({ text: e164, caret: 0 }, phone.code));
  return (
    <div>
      <PhoneField
        label="Numéro du bénéficiaire"
        autoComplete="off"
        value={phone}
        onChange={onChange}
        error={'problem' in reading && isLong ? reading.problem : undefined}
        hint={
          <span className={join('text-[0.8125rem]', chosen && 'font-medium text-leaf-dark')}>
            {chosen
              ? `Bénéficiaire : ${formatPhone(chosen)} (${countryOf(chosen)?.name})`
              : 'Le numéro mobile qui reçoit le service.'}
          </span>
        }
      />
      {user && !user.isGuest && (
        <KnownNumbers
          userId={user.id}
          own={user.phone}
          countryCode={user.countryCode}
          chosen={chosen}
          onChoose={choose}
        />
      )}
    </div>
  );
}

/** One scrolling line, so that late numbers move nothing. */
function KnownNumbers({
  userId,
  own,
  countryCode,
  chosen,
  onChoose,
}: {
  userId: number;
  own: string;
  countryCode: string;
  chosen: string | undefined;
  onChoose: (e164: string) => void;
}) {
  const tickets = useList(listUserTickets, { params: { userId: String(userId) } }, { keep: true });
  const earlier = new Set(tickets.data?.rows.map((ticket) => ticket.beneficiaryPhoneNumber));
  earlier.delete(own);
  const short = (e164: string) =>
    e164.startsWith(countryCode) ? formatPhone(e164).slice(countryCode.length + 1) : formatPhone(e164);
  return (
    <ul
      aria-label="Numéros déjà utilisés"
      className="-mx-4 mt-1.5 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none]"
    >
      {[own, ...[...earlier].slice(0, offered)].map((e164) => (
        <li key={e164} className="shrink-0">
          <button
            type="button"
            aria-pressed={e164 === chosen}
            aria-label={e164 === own ? undefined : `Pour le ${formatPhone(e164)}`}
            onClick={() => onChoose(e164)}
            className={join(
              'min-h-11 rounded-full border bg-card px-3.5 text-sm tabular-nums',
              e164 === chosen ? 'border-leaf bg-leaf-pale font-semibold text-leaf-dark' : 'border-edge',
            )}
          >
            {e164 === own ? 'Pour moi' : short(e164)}
          </button>
        </li>
      ))}
    </ul>
  );
}
