import { formatPhone } from '#contract/phone.ts';
import { type Contact, contactForm, readContact, saveContact } from '#contract/settings.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { readForm } from '#web/forms/read-form.ts';
import { Field } from '#web/ui/field.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SavedSection } from './saved-section.tsx';

/** The contact in the form; nothing is an empty text. */
const typedContact = ({ whatsapp, phone, email }: Contact) => ({
  whatsapp: formatPhone(whatsapp ?? ''),
  phone: formatPhone(phone ?? ''),
  email: email ?? '',
});

export function ContactSection() {
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
          toSend={(draft) => readForm(contactForm, draft)}
          write={saveContact}
          saved="Contact enregistré"
          failure={{ fallback: "Le contact n'a pas pu être enregistré." }}
        >
          {({ text }) => (
            <div className="grid gap-4 lg:grid-cols-3 bar:grid-cols-2">
              <Field
                label="WhatsApp"
                type="tel"
                hint="Avec le + et l'indicatif, de n'importe quel pays."
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
