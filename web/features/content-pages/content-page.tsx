import { Fragment, Suspense, use } from 'react';
import { useLocation, useParams } from 'wouter';
import { type ContentPage as Page, readContentPage } from '#contract/content-pages.ts';
import { ApiError } from '#web/api/client.ts';
import { useAuth } from '#web/api/session.tsx';
import { paths } from '#web/paths.ts';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { Loading } from '#web/ui/spinner.tsx';
import { contentBlocks } from './content-blocks.ts';

type Answer = { page: Page } | { problem: 'missing' | 'failed' };

/** Answers by slug, so that a page once read opens at once; a failed read is tried again on the next visit. */
const answers = new Map<string, Promise<Answer>>();

export function ContentPage() {
  const { slug = '' } = useParams<{ slug: string }>();
  const { call } = useAuth();
  const answer =
    answers.get(slug) ??
    call(readContentPage, { params: { slug } }).then(
      (page) => ({ page }),
      (error: unknown): Answer => {
        answers.delete(slug);
        return { problem: error instanceof ApiError && error.status < 429 ? 'missing' : 'failed' };
      },
    );
  answers.set(slug, answer);
  return (
    <Column>
      <Suspense fallback={<Loading text="Chargement..." />}>
        <Content answer={answer} />
      </Suspense>
    </Column>
  );
}

function Content({ answer }: { answer: Promise<Answer> }) {
  const result = use(answer);
  const [, navigate] = useLocation();
  // Opened from a link elsewhere there is nothing to go back to.
  const back = () => (history.length > 1 ? history.back() : navigate(paths.home));
  if ('problem' in result)
    return (
      <>
        <PageTitle onBack={back}>{result.problem === 'missing' ? 'Page non trouvée' : 'Erreur'}</PageTitle>
        <EmptyState
          picture="📄"
          title={
            result.problem === 'missing'
              ? "La page demandée n'existe pas."
              : 'La page n’a pas pu être chargée. Vérifiez votre connexion.'
          }
        />
      </>
    );
  return (
    <>
      <PageTitle onBack={back}>{result.page.title}</PageTitle>
      <Card className="leading-relaxed">
        {contentBlocks(result.page.content).map((block, index) => (
          // A block's place is what it is: the text never changes while it is shown.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Block key={index} {...block} />
        ))}
      </Card>
    </>
  );
}

function Block({ kind, lines }: ReturnType<typeof contentBlocks>[number]) {
  if (kind === 'heading') return <h2 className="mt-5 mb-1.5 font-bold text-lg first:mt-0">{lines[0]}</h2>;
  if (kind === 'subheading') return <h3 className="mt-3 mb-1 font-semibold">{lines[0]}</h3>;
  return (
    <p className="mb-2">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <Fragment key={index}>
          {index > 0 && <br />}
          {line}
        </Fragment>
      ))}
    </p>
  );
}
