import { type ComponentProps, type ReactNode, useRef } from 'react';
import { dialHref, paysNobody } from '#contract/dialling.ts';
import { isThisMachine } from '#contract/this-machine.ts';
import type { Ticket } from '#contract/tickets.ts';
import { formatUsualTime } from '#web/text/waiting.ts';
import { PhoneIcon } from '#web/ui/action-icons.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ChevronIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useMedia } from '#web/ui/use-media.ts';
import { codePieces, codeSize } from './code-pieces.ts';
import { useDecisionTime } from './decision-time.tsx';

interface Props {
  ticket: Pick<Ticket, 'dialCode' | 'dialOperator' | 'paymentTypeName' | 'totalPrice'>;
  /** What stands beside the buttons that dial and copy. */
  beside?: ReactNode;
  /** A link to the operator, if there is no code. */
  contact?: ReactNode;
  /** Names the code for screen readers in a list: 'le code du ticket n° 7'. */
  of?: string | undefined;
}

/** A ticket's code to dial with its buttons, the same on every screen, or why there is none. */
export function TicketCode({ ticket, contact, ...shown }: Props) {
  const { dialCode, dialOperator, paymentTypeName } = ticket;
  if (dialCode) return <DialCode code={dialCode} operator={dialOperator} {...shown} />;
  if (!isPaidByContact(ticket))
    return <p>Ce service n'a pas de code à composer&nbsp;: un agent traitera votre demande.</p>;
  return (
    <div className="flex flex-col gap-3">
      <p>{`${paymentTypeName}\u00a0: pas de code pour ce service. Contactez-nous pour payer.`}</p>
      <div className={rowClass}>
        {contact}
        {shown.beside}
      </div>
    </div>
  );
}

/** Whether a ticket has something to pay and no code for it. */
export const isPaidByContact = ({ dialCode, totalPrice }: Pick<Ticket, 'dialCode' | 'totalPrice'>): boolean =>
  !dialCode && Number(totalPrice) > 0;

/** The code of a declared payment, without a link, so that it is not dialled again by mistake. */
export function FoldedCode({ ticket: { dialCode, dialOperator }, of }: Pick<Props, 'ticket' | 'of'>) {
  const { shown, copied } = useCopied();
  if (!dialCode) return null;
  return (
    <details className="group/code text-small text-soft">
      <summary className="inline-flex min-h-11 list-none items-center gap-1 font-semibold text-leaf [&::-webkit-details-marker]:hidden">
        Afficher le code
        <ChevronIcon className="size-4 transform-[rotate(90deg)] group-open/code:transform-[rotate(-90deg)]" />
      </summary>
      <p>Vous avez dit avoir payé&nbsp;: ne payez pas une deuxième fois.</p>
      <div className="flex items-center gap-2">
        <div className="@container min-w-0 flex-1">
          <CodeText ref={shown} code={dialCode} largest="0.9375rem" />
          {dialOperator && <p>{`Depuis votre ligne ${dialOperator}`}</p>}
          <ExampleMark code={dialCode} />
        </div>
        <CopyButton square quiet text={dialCode} of={of} onDone={copied} />
      </div>
    </details>
  );
}

/** A mouse and no touch screen: no telephone. */
const withoutDialler = '(hover: hover) and (pointer: fine)';

export const useMayDial = () => !useMedia(withoutDialler);

/** The notice beside every code that pays nobody (P8.13). */
export const exampleCode = "Code d'exemple\u00a0: il ne paie personne.";

/** Whether a code that pays nobody must not be dialled here. In a trial on this machine it may. */
export const isWithheld = (code: string): boolean => paysNobody(code) && !isThisMachine(location.hostname);

function ExampleMark({ code, className }: { code: string; className?: string }) {
  if (!paysNobody(code)) return null;
  return <p className={join('font-semibold text-amber text-small leading-tight', className)}>{exampleCode}</p>;
}

/** Opens the phone's dialler with a code; `square` is its icon alone. */
export function DialLink({
  code,
  of,
  square,
  className,
  ...shape
}: Pick<Props, 'of'> & { code: string; square?: boolean; className?: string } & Parameters<typeof buttonClass>[0]) {
  return (
    <a
      href={dialHref(code)}
      aria-label={of ? `Composer ${of}` : square ? 'Composer' : undefined}
      className={buttonClass(shape, square ? squareClass : className)}
    >
      <PhoneIcon className="size-5 shrink-0" /> {!square && <span>Composer</span>}
    </a>
  );
}

/** Says whether a code was copied; where it was not it is selected, to be copied by hand. */
function useCopied() {
  const toast = useToast();
  const shown = useRef<HTMLParagraphElement>(null);
  const copied = (done: boolean) => {
    if (!done && shown.current) getSelection()?.selectAllChildren(shown.current);
    toast(
      done
        ? { title: 'Code copié', description: "Collez-le dans le clavier d'appel de votre téléphone." }
        : {
            title: 'Copie impossible',
            description: 'Le code est sélectionné\u00a0: copiez-le à la main.',
            destructive: true,
          },
    );
  };
  return { shown, copied };
}

/** A code in clear, of which a tap selects all; in a query container it shrinks to fit. */
function CodeText({ code, largest, className, ref }: ComponentProps<'p'> & { code: string; largest: string }) {
  return (
    <p
      ref={ref}
      className={join('select-all break-normal font-mono leading-tight hyphens-none', className)}
      style={{ fontSize: codeSize(code, largest) }}
    >
      {codePieces(code).map((piece, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a code's pieces have no other name than their place
        <span key={place}>
          <span className="whitespace-nowrap">{piece}</span>
          <wbr />
        </span>
      ))}
    </p>
  );
}

/** Apple's dialler takes no link to a code with * or #: there the code is copied first. */
const isCopiedFirst = (code: string) => /iPhone|iPad/.test(navigator.userAgent) && /[*#]/.test(code);

interface DialCodeProps extends Pick<Props, 'of' | 'beside'> {
  code: string;
  /** The operator whose SIM must dial it, if known. */
  operator: string | null | undefined;
}

/** A code to dial, the largest thing on its card: in clear, opened in the phone's dialler, or copied. */
function DialCode({ code, operator, of, beside }: DialCodeProps) {
  const { shown, copied } = useCopied();
  const seconds = useDecisionTime();
  const withheld = isWithheld(code);
  const mayDial = useMayDial() && !withheld;
  const copiesFirst = !mayDial || isCopiedFirst(code);
  const copy = { text: code, of, onDone: copied };
  const from = operator ? `Depuis votre ligne ${operator}` : 'Sur votre téléphone';
  return (
    <div className="flex flex-col gap-3">
      <div className="text-center">
        <div className="@container">
          <CodeText ref={shown} code={code} largest="1.5rem" className="text-balance font-bold" />
        </div>
        {!withheld && (
          <p className="mt-1 text-small text-soft leading-snug">
            <span>{from}</span>
            {typeof seconds === 'number' && (
              <span>
                <span>&nbsp;· </span>
                <span className="inline-block">{`vérifié ${formatUsualTime(seconds)}`}</span>
              </span>
            )}
          </p>
        )}
        <ExampleMark code={code} className="mt-1" />
      </div>
      <div className={rowClass}>
        {copiesFirst ? (
          <CopyButton main={!withheld} {...copy} />
        ) : (
          <DialLink tight code={code} of={of} className="px-1.5!" />
        )}
        {mayDial &&
          (copiesFirst ? (
            <DialLink square tight variant="plain" code={code} of={of} />
          ) : (
            <CopyButton square {...copy} />
          ))}
        {beside}
      </div>
    </div>
  );
}

/** Buttons on one row, an icon as narrow as it is; with large text one below the other. */
const rowClass = 'flex flex-wrap gap-2 *:min-w-0 [&>:not(.size-12)]:grow';
const squareClass = 'size-12 shrink-0';
