/** What stands for a placeholder of a shape, as people say it. */
const words: Record<string, string> = {
  montant: 'montant',
  payeur: 'numéro',
  reference: 'référence',
  solde: 'solde',
  frais: 'frais',
  date: 'date',
  heure: 'heure',
  motif: 'motif',
  nom: 'nom, non gardé',
  autre: 'autre',
};
/** What is kept of a message stands out more than what only differs. */
const kept: readonly string[] = ['montant', 'payeur', 'reference', 'solde'];

export interface ShapePart {
  text: string;
  placeholder: string | null;
}

/** A shape's text, in which what differs from one message to the next is marked. */
export const ShapeParts = ({ parts }: { parts: readonly ShapePart[] }) =>
  parts.map(({ text, placeholder }, place) => {
    if (placeholder === null) return text;
    const look = kept.includes(placeholder) ? 'bg-leaf-pale text-leaf-dark' : 'bg-ground text-soft';
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other name than its place, and keeps nothing
      <mark key={place} className={`rounded-md px-1.5 py-0.5 font-semibold ${look}`}>
        {text}
        <span className="ml-1 font-normal text-small">{words[placeholder] ?? placeholder}</span>
      </mark>
    );
  });

/** The parts of a template; a placeholder is told by its name alone. */
export const partsOfTemplate = (template: string): ShapePart[] =>
  template.split(/\{([a-z]+)\}/).flatMap((text, place): ShapePart[] => {
    if (place % 2 === 1) return [{ text: '', placeholder: text }];
    return text ? [{ text, placeholder: null }] : [];
  });
