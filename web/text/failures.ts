import { spellWait } from '#contract/waiting.ts';
import { ApiError, hasCode, NoAnswer } from '#web/api/client.ts';

/** French translations of the contract's English messages (P4.8). */
const inFrench: Record<string, string> = {
  'Password must be at least 6 characters': 'Le mot de passe doit contenir au moins 6 caractères.',
  "Passwords don't match": 'Les mots de passe ne correspondent pas.',
  'Phone number or email is required': 'Saisissez votre numéro de téléphone ou votre e-mail.',
  'Password is required': 'Saisissez votre mot de passe.',
  'OTP code must be 4 digits': 'Le code a 4 chiffres.',
};

export function frenchMessage(message: string): string {
  return inFrench[message] ?? message;
}

/** The sentence for a failed call: the server's, else the screen's fallback. */
export function failureSentence(error: unknown, fallback: string): string {
  if (error instanceof NoAnswer) return 'Pas de réponse du réseau. Vérifiez votre connexion et réessayez.';
  if (!(error instanceof ApiError) || !error.failure.message) return fallback;
  const { message, retryAfter, code } = error.failure;
  // It says nothing to a person.
  if (code === 'INTERNAL') return fallback;
  if (code === 'TOO_MANY' && retryAfter && !/\d/.test(message))
    return `Trop de tentatives. Réessayez dans ${spellWait(retryAfter)}.`;
  return frenchMessage(message);
}

/** What an administrator looks up in the log for a fault of the server. */
export const faultId = (error: unknown): string | undefined =>
  hasCode(error, 'INTERNAL') ? error.failure.requestId : undefined;
