import type { ContactForm } from '#contract/settings.ts';
import { ChatIcon, MailIcon, PhoneIcon } from '#web/ui/action-icons.tsx';
import { IconTile } from '#web/ui/icon-tile.tsx';
import { type ContactSubject, type ContactWay, contactMessage, contactWays } from './contact-links.ts';

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
              className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-1 rounded-xl border border-edge bg-card px-3 py-2 hover:bg-ground"
            >
              <IconTile Icon={icons[way.kind]} />
              <span className="min-w-0 flex-1 basis-28">
                <span className="block font-semibold leading-snug">{way.label}</span>
                <span className="wrap-anywhere block text-soft text-sm tabular-nums">{way.value}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {ways.some(({ kind }) => kind !== 'phone') && (
        <p className="wrap-anywhere mt-3 text-soft text-sm">{`Message prêt\u00a0: «\u00a0${contactMessage(subject)}\u00a0»`}</p>
      )}
    </>
  );
}
