/**
 * Dial templates (P8.7): `XX` and `{montant}` are the total in CFA francs, `{service}` the service's id.
 * `{beneficiaire}` is the beneficiary's number in local digits: operators silently refuse `+226…` inside a code.
 */
const placeholder = /XX|\{montant\}|\{beneficiaire\}|\{service\}/g;
const ussd = /^[*#][0-9*#]*[0-9][0-9*#]*#$/;
const phoneNumber = /^\+?\d{2,15}$/;
const asksForSecret = /pin|secret|passe|mdp|code/i;

export interface DialValues {
  /** CFA francs. */
  total: number;
  /** National digits. */
  beneficiary: string;
  serviceId: number;
}

/** The code to dial, with every placeholder filled and the spaces of a written phone number removed. */
export function fillDialTemplate(template: string, values: DialValues): string {
  const fill: Record<string, string> = {
    XX: String(values.total),
    '{montant}': String(values.total),
    '{beneficiaire}': values.beneficiary,
    '{service}': String(values.serviceId),
  };
  return template.replace(/\s/g, '').replace(placeholder, (name) => fill[name] ?? name);
}

/** Why a template is refused, in French, or `undefined` when it always fills to a code a phone can dial. */
export function dialTemplateProblem(template: string): string | undefined {
  if (template.length > 80) return 'Le code est limité à 80 caractères.';
  if (asksForSecret.test(template))
    return "Le code ne doit jamais contenir de code secret : l'opérateur le demande lui-même.";
  const filled = fillDialTemplate(template, { total: 1500, beneficiary: '70123456', serviceId: 1 });
  if (/[{}X]/i.test(filled)) return 'Repères acceptés : XX, {montant}, {beneficiaire} et {service}.';
  if (!ussd.test(filled) && !phoneNumber.test(template.replace(/\s/g, '')))
    return 'Écrivez un numéro de téléphone, ou un code qui commence par * ou # et finit par #.';
  return undefined;
}

/** Whether the code depends on the amount. */
export function needsAmount(template: string): boolean {
  return /XX|\{montant\}/.test(template);
}

/** A link that opens the phone's dialler with the code. `#` is written %23: the dialler drops everything after a plain `#`. */
export function dialHref(code: string): string {
  return `tel:${encodeURIComponent(code)}`;
}
