import { formatPhone } from '#contract/phone.ts';
import type { ContactForm } from '#contract/settings.ts';
import { formatAmount } from '#web/text/formats.ts';
import { ChatIcon, MailIcon, PhoneIcon } from '#web/ui/action-icons.tsx';
import { IconTile } from '#web/ui/icon-tile.tsx';
import { join } from '#web/ui/join.ts';

const icons = { whatsapp: ChatIcon, phone: PhoneIcon, email: MailIcon };

/** The ways to reach the operator, a large row each, and the message that is ready. */
export function ContactWays({
  contact,
  subject,
  onChoose,
}: {
  contact: ContactForm;
  subject: ContactSubject;
  onChoose?: (way: ContactWay) => void;
}) {
  const ways = contactWays(contact, subject);
  return (
    <>
      <ul className="flex flex-col gap-2.5">
        {ways.map((way) => (
          <li key={way.kind}>
            <a
              href={way.href}
              {...(way.kind === 'whatsapp' && { target: '_blank', rel: 'noopener noreferrer' })}
              onClick={() => onChoose?.(way)}
              className={join(
                'flex min-h-16 flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border px-3 py-2',
                way.kind === 'whatsapp' ? 'border-leaf bg-leaf-pale' : 'border-edge bg-card hover:bg-ground',
              )}
            >
              <IconTile Icon={icons[way.kind]} />
              <span className="min-w-0 flex-1 basis-28">
                <span className="block font-semibold leading-snug">{way.label}</span>
                <span className="wrap-anywhere block text-soft text-small tabular-nums">{way.value}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {ways.some(({ kind }) => kind !== 'phone') && (
        <p className="wrap-anywhere mt-3 text-soft text-small">{`Message prêt\u00a0: «\u00a0${contactMessage(subject)}\u00a0»`}</p>
      )}
    </>
  );
}

/** What a person writes about. */
export interface ContactSubject {
  ticketId?: number | undefined;
  /** The name of the final service. */
  service?: string | undefined;
  /** CFA francs; 0 where it is unknown. */
  total?: number | undefined;
}

/** The ready message, which names the ticket as far as it is known. */
export function contactMessage({ ticketId, service, total = 0 }: ContactSubject): string {
  if (ticketId === undefined) return 'Bonjour, je vous écris au sujet de Guichet.';
  const facts = [service, total > 0 ? formatAmount(total) : undefined].filter(Boolean).join(', ');
  return `Bonjour, je vous écris au sujet du ticket n°\u00a0${ticketId}${facts && `\u00a0: ${facts}`}.`;
}

export interface ContactWay {
  kind: 'whatsapp' | 'phone' | 'email';
  label: string;
  /** The number or address in readable form. */
  value: string;
  href: string;
  /** What happens when it is chosen. */
  said: string;
}

/** The given ways to reach the operator; WhatsApp and e-mail carry the ready message. */
export function contactWays({ whatsapp, phone, email }: ContactForm, subject: ContactSubject): ContactWay[] {
  const message = encodeURIComponent(contactMessage(subject));
  const title = encodeURIComponent(
    subject.ticketId === undefined ? 'Question sur Guichet' : `Ticket n°\u00a0${subject.ticketId}`,
  );
  const ways: ContactWay[] = [];
  if (whatsapp)
    ways.push({
      kind: 'whatsapp',
      label: 'WhatsApp',
      value: formatPhone(whatsapp),
      href: `https://wa.me/${whatsapp.slice(1)}?text=${message}`,
      said: "WhatsApp s'ouvre avec un message prêt\u00a0: envoyez-le pour nous joindre.",
    });
  if (phone)
    ways.push({
      kind: 'phone',
      label: 'Appeler',
      value: formatPhone(phone),
      href: `tel:${phone}`,
      said: `Votre téléphone compose le ${formatPhone(phone)}\u00a0: lancez l'appel.`,
    });
  if (email)
    ways.push({
      kind: 'email',
      label: 'E-mail',
      value: email,
      href: `mailto:${email}?subject=${title}&body=${message}`,
      said: "Votre messagerie s'ouvre avec un message prêt\u00a0: envoyez-le pour nous joindre.",
    });
  return ways;
}
