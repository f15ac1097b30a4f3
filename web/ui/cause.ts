import { adviceOn } from './advice.ts';

/** What an error says of itself, whichever room throws it. */
interface Thrown {
  status?: number;
  failure?: { message?: string; requestId?: string };
}

interface Cause {
  /** What it is, and what to do about it. */
  advice: string;
  /** It ends without the person: another try is made by itself. */
  isPassing: boolean;
  /** What an administrator looks up in the log. */
  id?: string | undefined;
}

export const offline: Cause = {
  advice: 'Vous êtes hors ligne. Réessayez au retour du réseau.',
  isPassing: true,
};

/** Why something could not be read. The device alone knows that it is offline: no answer may be its line's fault, or the server's. */
export function causeOf(error: unknown): Cause {
  const { status, failure } = (error ?? {}) as Thrown;
  if (status === undefined && !`${error}`.startsWith('NoAnswer')) return { advice: adviceOn(error), isPassing: false };
  if (status === undefined)
    return navigator.onLine === false
      ? offline
      : { advice: 'Guichet ne répond pas. Vérifiez votre connexion et réessayez.', isPassing: true };
  if (status >= 502 && status <= 504)
    return { advice: "Guichet ne répond pas. Ce n'est pas votre connexion.", isPassing: true };
  if (status >= 500)
    return {
      advice: "Une erreur est survenue chez nous. Ce n'est pas votre connexion.",
      isPassing: false,
      id: failure?.requestId,
    };
  return { advice: failure?.message ?? 'Vérifiez votre connexion et réessayez.', isPassing: false };
}
