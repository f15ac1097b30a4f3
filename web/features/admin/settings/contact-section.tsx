import { formatPhone } from '#contract/phone.ts';
import { type Contact, contactForm, isReachable, readContact, saveContact } from '#contract/settings.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useDraft } from '#web/features/admin/shared/draft.tsx';
import { readForm } from '#web/forms/read-form.ts';
import { ContactWays } from '#web/shell/contact-ways.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SavedSection, useSaveEdited } from './saved-section.tsx';

export function ContactSection() {
  const query = useEndpoint(readContact, {}, { pollEveryMs: pollEveryMs.adminSettings });
  return (
    <QueryState query={query} loading="Chargement du contact..." failure="Impossible de charger le contact.">
      {(stored) => <ContactEditor stored={stored} />}
    </QueryState>
  );
}

/** The contact in the form; nothing is an empty text. */
type TypedContact = Record<'whatsapp' | 'phone' | 'email', string>;

const typedContact = ({ whatsapp, phone, email }: Contact): TypedContact => ({
  whatsapp: formatPhone(whatsapp ?? ''),
  phone: formatPhone(phone ?? ''),
  email: email ?? '',
});

function ContactEditor({ stored }: { stored: Contact }) {
  const call = useCall();
  const copy = useDraft(stored, typedContact);
  const { form, errors, setErrors, busy, question } = useSaveEdited(copy, {
    read: readContact,
    toSend: (draft) => readForm(contactForm, draft),
    write: saveContact,
    store: (body) => call(saveContact, { body }),
    saved: 'Contact enregistré',
    failure: { fallback: "Le contact n'a pas pu être enregistré." },
  });
  const field = (name: keyof TypedContact) => ({
    name,
    value: copy.draft[name],
    error: errors[name],
    onChange: ({ target }: { target: HTMLInputElement }) => {
      setErrors({});
      copy.change((before) => ({ ...before, [name]: target.value }));
    },
  });
  return (
    <SavedSection
      title="Contact"
      about={
        'Ce que trouve une personne qui touche «\u00a0Nous contacter\u00a0». Laissez vide ce que vous ne proposez pas.'
      }
      copy={copy}
      form={form}
      question={question}
    >
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4 bar:grid bar:grid-cols-2">
          <Field
            label="WhatsApp"
            type="tel"
            hint="Avec le + et l'indicatif, de n'importe quel pays"
            {...field('whatsapp')}
          />
          <Field label="Téléphone" type="tel" hint="Peut être le même numéro" {...field('phone')} />
          <Field
            label="E-mail"
            type="email"
            autoCapitalize="none"
            spellCheck={false}
            hint="Tout le monde peut lire cette adresse"
            {...field('email')}
          />
          <Button type="submit" className="sm:self-end bar:justify-self-end bar:self-center" busy={busy}>
            {busy ? 'Enregistrement...' : 'Enregistrer'}
          </Button>
        </div>
        <ContactPreview draft={copy.draft} />
      </div>
    </SavedSection>
  );
}

const example = { ticketId: 123, service: 'Forfait internet 7 jours', total: 1_050 };

/** What a person sees, by the fields that can be read; its links work. */
function ContactPreview({ draft }: { draft: TypedContact }) {
  const { errors = {} } = readForm(contactForm, draft);
  const typed = (['whatsapp', 'phone', 'email'] as const).filter((name) => draft[name].trim());
  const readable = Object.fromEntries(typed.filter((name) => !errors[name]).map((name) => [name, draft[name]]));
  const { data } = readForm(contactForm, { whatsapp: null, phone: null, email: null, ...readable });
  return (
    <figure className="flex min-w-0 flex-col gap-1.5 self-start">
      <figcaption className="font-semibold text-sm">Aperçu</figcaption>
      <div className="rounded-card border border-line bg-ground p-4">
        <p className="mb-3 font-bold text-xl leading-tight">Nous contacter</p>
        {data && isReachable(data) ? (
          <ContactWays contact={data} subject={example} />
        ) : (
          <p className="text-soft">
            Sans contact, le bouton dit que rien n'a été envoyé parce qu'aucun contact n'est encore indiqué.
          </p>
        )}
      </div>
    </figure>
  );
}
