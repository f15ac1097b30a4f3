import type { ContentPage } from '#contract/content-pages.ts';
import { formatDate } from '#web/text/formats.ts';
import { Fact, Facts } from '#web/ui/facts.tsx';
import type { PageFields } from './kept-draft.ts';

/** Another administrator's concurrent change, with the lines marked that one's own text lacks. */
export function StoredVersion({ stored, base, own }: { stored: ContentPage; base: ContentPage; own: PageFields }) {
  const ownLines = new Set(own.content.split(/\r?\n/));
  return (
    <section
      aria-label="Version de l’autre administrateur"
      className="flex flex-col gap-3 rounded-card border border-amber/40 bg-amber-pale p-4"
    >
      <p className="font-semibold text-amber">Version de l’autre administrateur, {formatDate(stored.updatedAt)}</p>
      <Facts>
        {stored.title !== base.title && <Fact name="Titre">{stored.title}</Fact>}
        {stored.slug !== base.slug && <Fact name="Adresse">/{stored.slug}</Fact>}
        {stored.isActive !== base.isActive && <Fact name="Active">{stored.isActive ? 'Oui' : 'Non'}</Fact>}
      </Facts>
      {stored.content !== base.content && (
        <>
          <p className="text-sm">Son texte ; les lignes que le vôtre n’a pas sont surlignées.</p>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also for who has a keyboard alone
            tabIndex={0}
            className="max-h-64 overflow-y-auto whitespace-pre-wrap rounded-xl border border-line bg-card p-3 font-sans text-sm leading-relaxed"
          >
            {stored.content.split(/\r?\n/).map((line, index) => (
              // A line has nothing else to be known by.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <span key={index} className="block min-h-[1lh]">
                {line && !ownLines.has(line) ? <mark className="bg-amber-pale font-medium">{line}</mark> : line}
              </span>
            ))}
          </pre>
        </>
      )}
    </section>
  );
}
