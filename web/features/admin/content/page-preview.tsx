import { memo, useMemo } from 'react';
import { contentBlocks } from '#web/text/content-blocks.ts';
import { Card } from '#web/ui/card.tsx';
import { ContentText } from '#web/ui/content-text.tsx';
import type { PageFields } from './kept-draft.ts';

/** The page as visitors see it. */
export const PagePreview = memo(function PagePreview({ fields: { title, content } }: { fields: PageFields }) {
  const blocks = useMemo(() => contentBlocks(content), [content]);
  return (
    <section
      aria-label="Aperçu"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also for who has a keyboard alone
      tabIndex={0}
      className="rounded-card bg-ground p-4 lg:min-h-48 lg:flex-1 lg:overflow-y-auto"
    >
      <p className="mb-3 text-soft text-sm">Aperçu</p>
      <p className="wrap-anywhere mb-5 font-bold text-2xl leading-tight">{title || 'Sans titre'}</p>
      <Card className="leading-relaxed">
        {blocks.length > 0 ? <ContentText blocks={blocks} /> : <p className="text-soft">Le texte apparaîtra ici.</p>}
      </Card>
    </section>
  );
});
