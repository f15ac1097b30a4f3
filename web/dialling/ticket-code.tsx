import { dialHref } from '#contract/dial-code.ts';
import type { Ticket } from '#contract/tickets.ts';
import { DialCode } from './dial-code.tsx';
import { useCopyToast } from './use-copy-toast.ts';
import { usePaymentTypes } from './use-payment-types.ts';

interface Props {
  ticket: Ticket;
  /** In a list, where a ticket without a code shows nothing. */
  compact?: boolean;
  /** Names the code for screen readers in a list: 'le code du ticket n° 7'. */
  of?: string;
}

/** The code to dial for a ticket, or the reason why there is none. */
export function TicketCode({ ticket: { dialCode, paymentTypeId }, compact, of }: Props) {
  const onCopied = useCopyToast();
  const { data: paymentTypes } = usePaymentTypes();
  if (!dialCode)
    return compact ? null : <p>Ce service n’a pas de code à composer : un agent traitera votre demande.</p>;
  return (
    <DialCode
      code={dialCode}
      href={dialHref(dialCode)}
      operator={paymentTypes?.find(({ id }) => id === paymentTypeId)?.operator}
      of={of}
      compact={compact}
      onCopied={onCopied}
    />
  );
}
