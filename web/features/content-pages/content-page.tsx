import { Suspense } from 'react';
import { readContentPage } from '#contract/content-pages.ts';
import { addresses } from '#web/addresses.ts';
import { ApiError } from '#web/api/client.ts';
import { useAnswer } from '#web/api/use-answer.tsx';
import { goBack, Link, useSubject } from '#web/router.tsx';
import { contentBlocks } from '#web/text/content-blocks.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ContentText } from '#web/ui/content-text.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageIcon } from '#web/ui/icons.tsx';
import { BackButton, Column, PageTitle } from '#web/ui/page.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';

export default function ContentPage() {
  const slug = useSubject();
  return (
    <Column>
      <Suspense fallback={<ToCome />}>
        <Content slug={slug} />
      </Suspense>
    </Column>
  );
}

const back = () => goBack(addresses.home);

function ToCome() {
  return (
    <>
      <div className="mb-2 flex min-h-12 items-center gap-x-1">
        <BackButton onClick={back} className="-ml-3" />
        <span className="breathe h-5 w-3/5 rounded bg-line" />
      </div>
      <SkeletonText text="Chargement..." lines={9} />
    </>
  );
}

/** Whether the page does not exist; other refusals are transient. */
const isMissing = (error: unknown) => error instanceof ApiError && error.status < 429;

function Content({ slug }: { slug: string }) {
  const { data: page, error } = useAnswer(readContentPage, { params: { slug } });
  if (!page)
    return (
      <>
        <PageTitle onBack={back}>{isMissing(error) ? 'Page non trouvée' : 'Erreur'}</PageTitle>
        <EmptyState
          failed={!isMissing(error)}
          Icon={PageIcon}
          title={
            isMissing(error)
              ? "La page demandée n'existe pas."
              : 'La page n’a pas pu être chargée. Vérifiez votre connexion.'
          }
        >
          <Link href={addresses.home} className={buttonClass({ variant: 'plain' })}>
            Retour à l'accueil
          </Link>
        </EmptyState>
      </>
    );
  return (
    <>
      <PageTitle onBack={back}>{page.title}</PageTitle>
      <Card className="leading-relaxed">
        <ContentText blocks={contentBlocks(page.content)} />
      </Card>
    </>
  );
}
