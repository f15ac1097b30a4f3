import { findCountry } from '#contract/phone.ts';
import { failuresOfBrokenGateway, type SmsDelivery, type SmsGateway } from '#contract/sms.ts';
import type { Tone } from '#web/ui/badge.tsx';

const gatewayNames: Record<string, string> = {
  console: 'Console du serveur',
  file: 'Fichier du serveur',
  http: 'Passerelle HTTP',
  infobip: 'Infobip',
  orange: 'Orange',
  twilio: 'Twilio',
};

/** A gateway's display name, else its own. */
export const gatewayName = (name: string): string =>
  Object.hasOwn(gatewayNames, name) ? `${gatewayNames[name]}` : name;

/** The countries of calling codes such as '226', in words. */
export function namesOf(dialCodes: readonly string[]): string {
  return dialCodes.map((code) => findCountry(`+${code}`)?.name ?? `+${code}`).join(', ');
}

/** A gateway's state in one word. */
export function gatewayState({ failuresInARow, lastSentAt }: SmsGateway): { label: string; tone: Tone } {
  if (failuresInARow > 0)
    return {
      label: failuresInARow === 1 ? '1 échec' : `${failuresInARow} échecs de suite`,
      tone: failuresInARow < failuresOfBrokenGateway ? 'amber' : 'red',
    };
  return lastSentAt ? { label: 'En service', tone: 'green' } : { label: 'Pas encore utilisée', tone: 'grey' };
}

export const kindWords: Record<SmsDelivery['kind'], string> = {
  code: 'Code',
  decision: 'Demande traitée',
  alarm: 'Alarme',
  test: 'Essai',
};

export const stateWords: Record<SmsDelivery['state'], { label: string; tone: Tone }> = {
  queued: { label: 'En attente', tone: 'amber' },
  sent: { label: 'Envoyé', tone: 'indigo' },
  delivered: { label: 'Remis', tone: 'green' },
  undelivered: { label: 'Non remis', tone: 'red' },
  failed: { label: 'Échoué', tone: 'red' },
  expired: { label: 'Trop tard', tone: 'grey' },
};
