import { addresses } from '#web/addresses.ts';
import { goBack } from '#web/router.tsx';
import { PageTitle } from '#web/ui/page.tsx';

const home = () => goBack(addresses.home);

/** The title of a screen of whoever is not signed in: its head also says where they are, or at which `step` of several. */
export function ClothTitle({
  onBack = home,
  step = 'Guichet',
  children,
}: {
  onBack?: () => void;
  step?: string | undefined;
  children: string;
}) {
  return (
    <PageTitle onBack={onBack} aside={<p className="font-bold font-display text-body text-white/80">{step}</p>}>
      {children}
    </PageTitle>
  );
}
