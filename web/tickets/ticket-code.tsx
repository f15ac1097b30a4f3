import { type ComponentProps, type ReactNode, useRef } from 'react';
import { dialHref, paysNobody } from '#contract/dial-code.ts';
import { isThisMachine } from '#contract/this-machine.ts';
import type { Ticket } from '#contract/tickets.ts';
import { PhoneIcon } from '#web/ui/action-icons.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ChevronIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useMedia } from '#web/ui/use-media.ts';
import { codePieces, codeSize } from './code-pieces.ts';

interface Props {
  ticket: Pick<Ticket, 'dialCode' | 'dialOperator' | 'paymentTypeName' | 'totalPrice'>;
  /** On a card: the code on one line where it fits, and its buttons beside or below it. */
  card?: boolean | undefined;
  /** Its buttons on one row, also on a phone. */
  inRow?: boolean | undefined;
  /** What stands beside the card's button that dials. */
  beside?: ReactNode;
  /** What the code pays, in the shape of a ticket. */
  stub?: ReactNode;
  /** A link to the operator, if there is no code. */
  contact?: ReactNode;
  /** Names the code for screen readers in a list: 'le code du ticket n° 7'. */
  of?: string | undefined;
}

/** A ticket's code to dial, or why there is none. */
export function TicketCode({ ticket, contact, ...shown }: Props) {
  const { dialCode, dialOperator, paymentTypeName } = ticket;
  if (dialCode) return <DialCode code={dialCode} operator={dialOperator} {...shown} />;
  if (!isPaidByContact(ticket))
    return <p>Ce service n'a pas de code à composer&nbsp;: un agent traitera votre demande.</p>;
  const { stub, beside } = shown;
  return (
    <div className="flex flex-col gap-2.5">
      <div className={stub ? 'ticket' : undefined}>
        {stub && <div className="px-4 py-3">{stub}</div>}
        <p className={stub ? 'px-4 pt-5 pb-4' : undefined}>
          {`${paymentTypeName}\u00a0: pas de code pour ce service. Contactez-nous pour payer.`}
        </p>
      </div>
      <div className={rowClass}>
        {contact}
        {beside}
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
        Voir le code
        <ChevronIcon className="size-4 transform-[rotate(90deg)] group-open/code:transform-[rotate(-90deg)]" />
      </summary>
      <p>Vous avez dit avoir payé&nbsp;: ne payez pas une deuxième fois.</p>
      <div className="flex items-center gap-2">
        <div className="@container min-w-0 flex-1">
          <CodeText ref={shown} code={dialCode} largest="0.9375rem" />
          {dialOperator && <p>{`Depuis votre SIM ${dialOperator}`}</p>}
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

/** Opens the phone's dialler with a code. */
export function DialLink({
  code,
  of,
  ...shape
}: Pick<Props, 'of'> & { code: string } & Parameters<typeof buttonClass>[0]) {
  return (
    <a href={dialHref(code)} aria-label={of && `Composer ${of}`} className={buttonClass(shape)}>
      <PhoneIcon className="size-5 shrink-0" /> Composer
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

interface DialCodeProps extends Omit<Props, 'ticket' | 'contact'> {
  code: string;
  /** The operator whose SIM must dial it, if known. */
  operator: string | null | undefined;
}

/** A code to dial: shown in clear, opened in the phone's dialler, or copied. */
function DialCode({ code, operator, of, card, inRow, beside, stub }: DialCodeProps) {
  const { shown, copied } = useCopied();
  const withheld = isWithheld(code);
  const mayDial = useMayDial() && !withheld;
  const text = (
    <CodeText ref={shown} code={code} largest={card ? '1.0625rem' : '1.75rem'} className="text-center font-bold" />
  );
  if (card)
    return (
      <div className="flex flex-wrap items-center gap-2.5">
        <div
          className={join(
            boxClass,
            mayDial ? 'basis-72' : 'basis-56',
            'flex min-w-0 grow-[3] items-center gap-2 p-1.5',
          )}
        >
          <div className="min-w-0 flex-1">
            <div className="@container">{text}</div>
            {operator && (
              <p className="mt-0.5 text-center text-small text-soft leading-tight">{`Depuis votre SIM ${operator}`}</p>
            )}
            <ExampleMark code={code} className="mt-0.5 text-center" />
          </div>
          {mayDial && <CopyButton square text={code} of={of} onDone={copied} />}
        </div>
        <div className={join(rowClass, 'min-w-0 grow')}>
          {mayDial && <DialLink tight code={code} of={of} />}
          {!mayDial && <CopyButton main={!withheld} text={code} of={of} onDone={copied} />}
          {beside}
        </div>
      </div>
    );
  return (
    <div className="flex flex-col gap-2.5">
      {!withheld && (
        <p>
          Composez ce code{' '}
          <span>
            {operator ? (
              <span>
                depuis votre SIM <strong>{operator}</strong>
              </span>
            ) : (
              'sur votre téléphone'
            )}
          </span>{' '}
          pour payer.
        </p>
      )}
      <div className={stub ? 'ticket' : undefined}>
        {stub && <div className="px-4 py-3">{stub}</div>}
        <div className={stub ? 'px-2 pt-5 pb-4' : join(boxClass, 'px-2 py-4')}>
          <div className="@container">{text}</div>
          <ExampleMark code={code} className="mt-2 text-center" />
        </div>
      </div>
      <div className={inRow ? rowClass : 'flex flex-col gap-2.5 rail:flex-row rail:*:flex-1'}>
        {mayDial && <DialLink tight={inRow} code={code} of={of} />}
        <CopyButton tall={mayDial && !inRow} text={code} of={of} main={!mayDial && !withheld} onDone={copied} />
      </div>
    </div>
  );
}

/** Buttons on one row; with large text one below the other. */
const rowClass = 'flex flex-wrap gap-2.5 *:min-w-0 *:grow';

const boxClass = 'rounded-xl border border-edge border-dashed bg-ground';
