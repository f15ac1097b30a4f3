/** Text in lower case, without accents, each run of white space as one space. */
export function fold(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('’', "'").replace(/\s+/g, ' ').trim();
}

/** What a template's placeholders match in folded text. Each is bounded, so that no text makes matching slow. */
export const amount = String.raw`\d{1,15}(?:[ .,]\d{1,15}){0,6}`;
export const shapes = {
  montant: amount,
  frais: amount,
  solde: amount,
  payeur: String.raw`(?:\+|00)?(?:[ .-]?(?:[\d*]|x(?![a-wyz]))){3,17}\d`,
  reference: String.raw`[a-z0-9]{1,30}(?:[_-][a-z0-9]{1,30}|\.(?=[a-z]{0,2}\d)[a-z0-9]{1,30}){0,2}`,
  date: String.raw`\d{1,2}[/-]\d{1,2}[/-]\d{4}|\d{4}-\d{2}-\d{2}|\d{1,2}[/-]\d{1,2}[/-]\d{2}`,
  heure: String.raw`\d{1,2}:\d{2}(?::\d{2})?(?!\d)`,
  // No telephone number is part of a name: it would move the payer.
  nom: String.raw`(?:(?!\d{6}).){0,80}`,
  motif: '.{0,160}',
  // An amount, a number or a code that is not stored.
  autre: String.raw`${amount}|(?=[a-z]{0,20}\d)[a-z0-9]{1,40}(?:[.,:/_-][a-z0-9]{1,40}){0,6}`,
  reste: '.*',
};
export type Placeholder = keyof typeof shapes;
export type Captured = Partial<Record<Placeholder, string>>;

/** Placeholders of free text. Their shortest and longest matches, and one that ends early, must give the same values. */
const free: readonly string[] = ['nom', 'motif'];
const unread: readonly string[] = ['nom', 'autre', 'reste'];
const dots = String.raw`\.{0,3}`;
export const currency = '(?:f ?cfa|cfa|xof|f)';
const isCurrency = /^(?:f|fcfa|cfa|xof)$/;
const fewestLetters = 6;

/** The variants of a template with optional parts '[…]': with and without each. */
export function variantsOf(template: string): string[] {
  const [, before = '', part = '', after = ''] = /^([^[\]]*)\[([^[\]]*)\](.*)$/s.exec(template) ?? [];
  if (!part) return [template];
  return variantsOf(after).flatMap((rest) => [before + part + rest, before + rest]);
}

export type Pattern = ReturnType<typeof compilePattern>;

/**
 * A matcher for an SMS template such as 'Vous avez recu {montant} FCFA du {payeur}.' Spaces are optional, currencies
 * equal, dots at the end free. Takes time linear in the text. Throws a French sentence for a template it cannot read.
 */
export function compilePattern(template: string) {
  const parts = fold(template).split(/\{([^{}]*)\}/);
  const openStart = parts[0] === '' && parts[1] === 'reste';
  const openEnd = parts.length > 2 && parts.at(-1) === '' && parts.at(-2) === 'reste';
  const body = parts.slice(openStart ? 2 : 0, openEnd ? -2 : undefined);
  const last = body.pop()?.replace(/[ .]+$/, '') ?? '';
  body.push(last);
  const letters = body
    .filter((_, index) => index % 2 === 0)
    .join('')
    .replace(/[^a-z0-9]/g, '').length;
  requireReadable(body, letters);

  const start = openStart ? '(?<![a-z0-9])' : '^';
  const endsFree = last === '' && free.includes(body.at(-2) ?? '');
  const boundary = /[^a-z0-9]$/.test(last) ? '' : '(?![a-z0-9])';
  const end = openEnd ? `${boundary}(?<reste>.*)$` : '[ .]*$';
  const shortest = new RegExp(start + sourceOf(body, '?') + end);
  const longest = new RegExp(start + sourceOf(body, '') + end);
  const beginning = new RegExp(`^${sourceOf(body.slice(0, body[2]?.trim() ? 3 : 4), '?')}`);
  const anywhere = new RegExp(sourceOf(body, '?'));
  // Looking for the template's words first is faster, since most texts lack one.
  const words = body.flatMap((part, index) => (index % 2 === 0 ? (part.match(/[a-z]+/g) ?? []) : []));
  const needed = [...new Set(words)].filter((word) => !isCurrency.test(word));
  const has = (folded: string) => needed.every((word) => folded.includes(word));
  return {
    /** The placeholders' text in a whole message; 'ambiguous' where it can be read in two ways; undefined if it has another shape. */
    match(folded: string): Captured | 'ambiguous' | undefined {
      const captured = has(folded) ? shortest.exec(folded)?.groups : undefined;
      if (!captured) return undefined;
      const others = [longest, ...(endsFree ? [] : [anywhere])].map((pattern) => pattern.exec(folded)?.groups ?? {});
      const told = Object.keys(captured).filter((name) => !unread.includes(name));
      const ends = (text = '') => text.replace(/^ |[ .]+$/g, '');
      const differ = others.some((other) => told.some((name) => ends(captured[name]) !== ends(other[name])));
      return differ ? 'ambiguous' : captured;
    },
    /** Whether a text starts as the template does, up to what follows its first placeholder. */
    begins: (folded: string): boolean => !openStart && beginning.test(folded),
    /** Whether a message of this template stands somewhere in a text. */
    within: (folded: string): boolean => has(folded) && anywhere.test(folded),
    /** Letters and digits outside placeholders. The pattern with more of them is the more specific. */
    letters,
  };
}

function requireReadable(body: string[], letters: number): void {
  for (const [index, name] of body.entries()) {
    if (index % 2 === 0) continue;
    if (!Object.hasOwn(shapes, name))
      throw new Error(`« {${name}} » n'existe pas ; il y a {${Object.keys(shapes).join('}, {')}}`);
    if (name === 'reste') throw new Error("« {reste} » ne se met qu'au début ou à la fin");
    if (free.includes(name) && free.includes(body[index + 2] ?? '') && !body[index + 1]?.trim())
      throw new Error(`rien ne sépare « {${name}} » de « {${body[index + 2]}} »`);
  }
  if (letters < fewestLetters) throw new Error(`il faut au moins ${fewestLetters} lettres hors des accolades`);
}

function sourceOf(parts: string[], laziness: '' | '?'): string {
  const seen: string[] = [];
  const sources = parts.map((part, index) => {
    if (index % 2 === 0) return literalSource(part, index > 0);
    const shape = shapes[part as Placeholder] + (free.includes(part) ? laziness : '');
    if (part === 'reference' && seen.includes(part)) return '\\k<reference>';
    const name = seen.includes(part) ? ':' : `<${part}>`;
    seen.push(part);
    return `(?${name}${shape})${part === 'reference' ? dots : ''}`;
  });
  return sources.filter(Boolean).join(' ?');
}

/**
 * The expression for the text between placeholders. Full stops are optional: after a placeholder, after a currency, and where one is
 * written.
 */
function literalSource(literal: string, isInside: boolean): string {
  const tokens = literal.replace(/\bf cfa\b/g, 'fcfa').match(/[a-z]+|\d+|[^a-z\d\s]/g) ?? [];
  const sources = tokens.map((token, index) => {
    if (token === '.') return dots;
    if (isCurrency.test(token)) return `${currency} ?${dots}`;
    if (/^\d/.test(token)) return token;
    if (/^[a-z]/.test(token)) return isInside && index === 0 ? `${dots} ?${token}` : token;
    return `\\${token}`;
  });
  return sources.join(' ?');
}
