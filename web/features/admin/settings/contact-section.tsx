import { defaultCountryCode, formatPhone } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import { type Contact, contactForm, readContact, saveContact } from '#contract/settings.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { readForm } from '#web/forms/read-form.ts';
import { useAuth } from '#web/session/auth.tsx';
import { Field } from '#web/ui/field.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SavedSection } from './saved-section.tsx';

/** The contact in the form; nothing is an empty text. */
const typedContact = ({ whatsapp, phone, email }: Contact) => ({
  whatsapp: formatPhone(whatsapp ?? ''),
  phone: formatPhone(phone ?? ''),
  email: email ?? '',
});

/** A number as it is typed in that country, with its +; another one as it is typed. */
function inFull(typed: string, countryCode: string): string {
  const read = readPhone(typed, countryCode);
  return 'e164' in read ? read.e164 : typed;
}

export function ContactSection() {
  const countryCode = useAuth().user?.countryCode ?? defaultCountryCode;
  const query = useEndpoint(readContact, {}, { pollEveryMs: pollEveryMs.adminSettings });
  return (
    <QueryState query={query} loading="Chargement du contact..." failure="Impossible de charger le contact.">
      {(stored) => (
        <SavedSection
          title="Contact"
          about={
            'Ce que trouve une personne qui touche «\u00a0Nous contacter\u00a0». Laissez vide ce que vous ne proposez pas.'
          }
          stored={stored}
          draftOf={typedContact}
          read={readContact}
          toSend={({ whatsapp, phone, email }) =>
            readForm(contactForm, { whatsapp: inFull(whatsapp, countryCode), phone: inFull(phone, countryCode), email })
          }
          write={saveContact}
          saved="Contact enregistré"
          failure={{ fallback: "Le contact n'a pas pu être enregistré." }}
        >
          {({ text }) => (
            <div className="grid gap-4 lg:grid-cols-3 bar:grid-cols-2">
              <Field
                label="WhatsApp"
                type="tel"
                hint="D'un autre pays que le vôtre, avec le + et l'indicatif."
                {...text('whatsapp')}
              />
              <Field label="Téléphone" type="tel" hint="Peut être le même numéro." {...text('phone')} />
              <Field
                label="E-mail"
                type="email"
                autoCapitalize="none"
                spellCheck={false}
                hint="Tout le monde peut lire cette adresse."
                {...text('email')}
              />
            </div>
          )}
        </SavedSection>
      )}
    </QueryState>
  );
}
