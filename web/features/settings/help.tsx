import type { ReactNode } from 'react';
import { privacyAddress, termsAddress } from '#web/addresses.ts';
import { ContactButton } from '#web/contact/contact-button.tsx';
import { Link } from '#web/router.tsx';
import { ChevronIcon } from '#web/ui/icons.tsx';

const link = 'flex min-h-12 items-center text-leaf underline underline-offset-4';

/** Frequent questions with their answers, the pages that say more, and the operator's contact. */
export function Help() {
  return (
    <>
      <ul className="divide-y divide-line border-line border-y">
        <Question title="Comment payer avec le code ?">
          <p>
            Touchez « Composer » sur le ticket, ou copiez le code et composez-le vous-même, avec la SIM qui est nommée
            sous le code. Votre opérateur demande votre code secret : tapez-le sur son écran seulement. Guichet ne le
            demande jamais.
          </p>
          <p>Puis touchez « J'ai payé » et collez le SMS de l'opérateur.</p>
        </Question>
        <Question title="Que faire si le code ne marche pas ?">
          <p>
            Vérifiez la SIM et votre solde, et composez le code encore une fois. S'il échoue toujours, touchez « Ce code
            ne marche pas » sur le ticket : nous sommes prévenus. Ne payez pas deux fois.
          </p>
        </Question>
        <Question title="Combien de temps faut-il ?">
          <p>
            Une personne vérifie chaque paiement. Le délai habituel est écrit sur le ticket. Vous lisez la réponse dans
            « Notifications », et sur le ticket.
          </p>
        </Question>
        <Question title="Pourquoi ma demande est-elle rejetée ?">
          <p>
            Le motif est sur le ticket et dans la notification. Corrigez ce qui est indiqué et refaites la demande. Si
            vous avez payé, gardez le SMS de votre opérateur et touchez « Nous contacter » sur le ticket.
          </p>
        </Question>
        <Question title="Je ne reçois pas le SMS avec le code">
          <p>
            Vérifiez le numéro, le réseau et la place pour de nouveaux messages. Après l'attente, touchez « Renvoyer le
            code ». Un nouveau code remplace l'ancien.
          </p>
        </Question>
      </ul>
      <div>
        <p className="font-semibold text-body">Pour en savoir plus</p>
        <Link className={link} href={termsAddress}>
          Conditions d'utilisation
        </Link>
        <Link className={link} href={privacyAddress}>
          Politique de confidentialité
        </Link>
      </div>
      <ContactButton variant="outline" className="w-full" />
    </>
  );
}

function Question({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <details className="group">
        <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 py-2 font-semibold leading-snug [&::-webkit-details-marker]:hidden">
          {title}
          <ChevronIcon className="size-5 shrink-0 transform-[rotate(90deg)] text-leaf group-open:transform-[rotate(-90deg)]" />
        </summary>
        <div className="flex flex-col gap-2 pb-3.5 text-soft">{children}</div>
      </details>
    </li>
  );
}
