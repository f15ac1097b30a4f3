import { readContentPage } from '#contract/content-pages.ts';
import { addresses } from '#web/addresses.ts';
import { ApiError } from '#web/api/client.ts';
import { useAnswer } from '#web/api/use-answer.ts';
import { goBack, useSubject } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { ClothTitle } from '#web/shell/cloth-title.tsx';
import { NotFound } from '#web/shell/not-found-page.tsx';
import { contentBlocks } from '#web/text/content-blocks.ts';
import { formatLongDay } from '#web/text/formats.ts';
import { Card } from '#web/ui/card.tsx';
import { ContentText } from '#web/ui/content-text.tsx';
import { FailedRead } from '#web/ui/failed-read.tsx';
import { Column, HeadToCome, PageTitle } from '#web/ui/page.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';

export default function ContentPage() {
  const slug = useSubject();
  return (
    <Column>
      <Content slug={slug} />
    </Column>
  );
}

const back = () => goBack(addresses.home);

function ToCome() {
  return (
    <>
      <HeadToCome />
      <SkeletonText text="Chargement..." lines={9} />
    </>
  );
}

/** Whether the page does not exist; other refusals are transient. */
const isMissing = (error: unknown) => error instanceof ApiError && error.status < 429;

function Content({ slug }: { slug: string }) {
  const { user } = useAuth();
  const { data: page, error } = useAnswer(readContentPage, { params: { slug } });
  if (isMissing(error)) return <NotFound title="Page non trouvée" />;
  if (!page && !error) return <ToCome />;
  if (!page)
    return (
      <>
        <PageTitle onBack={back}>Erreur</PageTitle>
        <FailedRead title="La page n'a pas pu être chargée." error={error} onRetry={() => location.reload()} />
      </>
    );
  return (
    <>
      {user ? <PageTitle onBack={back}>{page.title}</PageTitle> : <ClothTitle>{page.title}</ClothTitle>}
      <Card className="leading-relaxed">
        <div className="max-w-2xl">
          <ContentText blocks={contentBlocks(page.content)} />
          <p className="mt-4 text-small text-soft">{`Modifié le ${formatLongDay(page.updatedAt)}`}</p>
        </div>
      </Card>
    </>
  );
}
