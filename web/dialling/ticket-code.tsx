import { useRef } from 'react';
import { dialHref } from '#contract/dial-code.ts';
import type { Ticket } from '#contract/tickets.ts';
import { PhoneIcon } from '#web/ui/action-icons.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { join } from '#web/ui/join.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useMedia } from '#web/ui/use-media.ts';
import { codePieces, codeSize } from './code-pieces.ts';
import { usePaymentTypes } from './use-payment-types.ts';

interface Props {
  ticket: Ticket;
  /** In a list, where a ticket without a code shows nothing. */
  compact?: boolean | undefined;
  /** Names the code for screen readers in a list: 'le code du ticket n° 7'. */
  of?: string | undefined;
}

/** The code to dial for a ticket, or the reason why there is none. */
export function TicketCode({ ticket: { dialCode, paymentTypeId }, compact, of }: Props) {
  const { data: paymentTypes } = usePaymentTypes();
  if (!dialCode)
    return compact ? null : <p>Ce service n’a pas de code à composer : un agent traitera votre demande.</p>;
  return (
    <DialCode
      code={dialCode}
      operator={paymentTypes?.find(({ id }) => id === paymentTypeId)?.operator}
      of={of}
      compact={compact}
    />
  );
}

/** A mouse and no touch screen: no telephone. */
const withoutDialler = '(hover: hover) and (pointer: fine)';

interface DialCodeProps extends Pick<Props, 'compact' | 'of'> {
  code: string;
  /** The operator whose SIM must dial it, if known. */
  operator: string | null | undefined;
}

/** A code to dial: shown in clear, opened in the phone's dialler, or copied. A tap selects all of it. */
function DialCode({ code, operator, of, compact }: DialCodeProps) {
  const toast = useToast();
  const shown = useRef<HTMLParagraphElement>(null);
  const mayDial = !useMedia(withoutDialler);
  const copied = (done: boolean) => {
    if (!done && shown.current) getSelection()?.selectAllChildren(shown.current);
    toast(
      done
        ? { title: 'Code copié', description: 'Collez-le dans le clavier d’appel de votre téléphone.' }
        : {
            title: 'Copie impossible',
            description: 'Le code est sélectionné : copiez-le à la main.',
            destructive: true,
          },
    );
  };
  const dialLabel = of && `Composer ${of}`;
  const text = (
    <p
      ref={shown}
      className="select-all break-normal text-center font-bold font-mono leading-tight hyphens-none"
      style={{ fontSize: codeSize(code, compact ? '1.0625rem' : '1.875rem') }}
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
  if (compact)
    return (
      <div className={join(boxClass, 'flex flex-wrap items-center justify-end gap-2 p-1.5')}>
        <div className="@container min-w-0 flex-1 basis-32">{text}</div>
        <div className="flex gap-2">
          {mayDial && (
            <a
              href={dialHref(code)}
              aria-label={dialLabel ?? 'Composer'}
              className={buttonClass({ tight: true }, 'size-12')}
            >
              <PhoneIcon className="size-5 shrink-0" />
            </a>
          )}
          <CopyButton square text={code} of={of} onDone={copied} />
        </div>
        {operator && <p className="basis-full pb-0.5 text-center text-soft text-sm">Depuis votre SIM {operator}</p>}
      </div>
    );
  return (
    <div className="flex flex-col gap-2.5">
      <p>
        Composez ce code{' '}
        {operator ? (
          <>
            depuis votre SIM <strong>{operator}</strong>
          </>
        ) : (
          'sur votre téléphone'
        )}{' '}
        pour payer.
      </p>
      <div className={join(boxClass, 'px-3 py-4')}>
        <div className="@container">{text}</div>
      </div>
      <div className="flex flex-col gap-2.5 rail:flex-row rail:*:flex-1">
        {mayDial && (
          <a href={dialHref(code)} aria-label={dialLabel} className={buttonClass({}, 'min-h-13')}>
            <PhoneIcon className="size-5" /> Composer
          </a>
        )}
        <CopyButton text={code} of={of} main={!mayDial} onDone={copied} />
      </div>
    </div>
  );
}

const boxClass = 'rounded-xl border border-edge border-dashed bg-ground';
