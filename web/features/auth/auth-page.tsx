import { useState } from 'react';
import { signInAsGuest } from '#contract/auth.ts';
import { addresses } from '#web/addresses.ts';
import { useCall } from '#web/api/use-call.ts';
import { useAction } from '#web/forms/use-action.ts';
import { keepTyped, readTyped } from '#web/forms/use-kept.ts';
import { readOrderDraft } from '#web/order-draft.ts';
import { goBack } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { Chunk, part } from '#web/shell/chunk.tsx';
import { LegalLinks } from '#web/shell/legal-links.tsx';
import { BackButton } from '#web/ui/back-button.tsx';
import { Button } from '#web/ui/button.tsx';
import { join } from '#web/ui/join.ts';
import { useCloseFailure } from '#web/ui/toast.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useEnter } from './use-enter.ts';

const tabs = ['Connexion', 'Inscription'] as const;
type Tab = (typeof tabs)[number];

/** Most people who come here have an account. */
export const signUpForm = part(() => import('./sign-up-form.tsx'));

/** As tall as the form, so that the elements below it stay in place. */
const formToCome = (
  <p role="status" className="min-h-[36.25rem]">
    Chargement...
  </p>
);

export function AuthPage() {
  const [tab, setTab] = useState(() => tabs.find((name) => name === readTyped('auth').tab) ?? tabs[0]);
  const call = useCall();
  const { user } = useAuth();
  /** A guest whose order needs an account: going on as a guest would lead back here. */
  const isOrdering = user?.isGuest && readOrderDraft()?.resume;
  const enter = useEnter();
  const closeFailure = useCloseFailure();
  const guest = useAction(
    async () => {
      enter((await call(signInAsGuest, {})).user);
      return { title: 'Accès invité', description: "Vous naviguez en tant qu'invité." };
    },
    { failure: { fallback: "Impossible d'accéder en mode invité." } },
  );

  const show = (name: Tab) => {
    closeFailure();
    setTab(name);
    keepTyped('auth', { tab: name });
  };

  return (
    <main className="relative mx-auto flex min-h-[calc(var(--screen)-6px)] w-full max-w-md flex-col px-4 pb-1">
      {/* A guest arrives from another screen. */}
      {user && (
        <BackButton className="absolute top-1.5 left-1 z-10 text-white" onClick={() => goBack(addresses.home)} />
      )}
      {/* As the document draws it. */}
      <header className="cloth mb-3 pt-4.5 pb-7.5 text-center md:mb-8 short:pt-1.5">
        <h1 className="font-bold text-[2.5rem] leading-[1.15] short:text-title">Guichet</h1>
        <p className="text-body text-white/80 short:hidden">Transferts, recharges, factures</p>
      </header>
      {isOrdering && (
        <p className="mb-3 rounded-xl bg-leaf-pale px-4 py-3 text-leaf-dark text-body">
          Il faut un compte pour envoyer une demande. La vôtre est gardée et vous attend.
        </p>
      )}
      <Tabs shown={tab} onShow={show} />
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`} className="pt-3 pb-4">
        {tab === 'Connexion' ? (
          <SignInForm />
        ) : (
          <Chunk of={signUpForm} given={{ onSignIn: () => show('Connexion') }} waiting={formToCome} />
        )}
      </div>
      {!isOrdering && (
        <>
          <p className="mb-4 flex items-center gap-3 text-soft text-small before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            ou
          </p>
          <Button variant="outline" busy={guest.busy} onClick={() => guest.run()}>
            {guest.busy ? 'Connexion...' : "Continuer en tant qu'invité"}
          </Button>
        </>
      )}
      <LegalLinks />
    </main>
  );
}

function Tabs({ shown, onShow }: { shown: Tab; onShow: (tab: Tab) => void }) {
  return (
    <div role="tablist" aria-label="Accès" className="grid grid-cols-2 border-line border-b">
      {tabs.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-selected={shown === name}
          aria-controls="tab-panel"
          tabIndex={shown === name ? 0 : -1}
          onClick={() => onShow(name)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
            const other = name === 'Connexion' ? 'Inscription' : 'Connexion';
            onShow(other);
            document.getElementById(`tab-${other}`)?.focus();
          }}
          className={join(
            '-mb-px min-h-12 border-b-4 text-body -outline-offset-4',
            shown === name ? 'border-leaf font-bold text-leaf' : 'border-transparent text-soft',
          )}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
