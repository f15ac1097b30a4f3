/** What an error says of itself, whichever room throws it. */
interface Thrown {
  status?: number;
  failure?: { message?: string; requestId?: string };
}

export interface Cause {
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

/**
 * Why something could not be loaded or shown. What the browser itself throws, since it lacks or refuses something, is no
 * fault of the network, unless a module did not come. The device alone knows that it is offline: no answer may be either's fault.
 */
export function causeOf(error: unknown): Cause {
  const { status, failure } = (error ?? {}) as Thrown;
  const name = `${error}`;
  if (status === undefined && !/^(?:NoAnswer|Error)\b|module/i.test(name))
    return { advice: 'Mettez votre navigateur à jour et réessayez.', isPassing: false };
  if (status === undefined && navigator.onLine === false) return { ...offline, isPassing: name.startsWith('NoAnswer') };
  if (status === undefined)
    return {
      advice: 'Guichet ne répond pas. Vérifiez votre connexion et réessayez.',
      isPassing: name.startsWith('NoAnswer'),
    };
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

export const adviceOn = (error: unknown): string => causeOf(error).advice;
