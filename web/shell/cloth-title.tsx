import { addresses } from '#web/addresses.ts';
import { goBack } from '#web/router.tsx';
import { PageTitle } from '#web/ui/page.tsx';

const home = () => goBack(addresses.home);

/** The title of a screen of whoever is not signed in: its head of cloth says where they are. */
export function ClothTitle({ onBack = home, children }: { onBack?: () => void; children: string }) {
  return (
    <div className="cloth -mt-1.5 mb-4 pt-3 pb-4">
      <p className="font-display font-extrabold text-title leading-tight tracking-tight">Guichet</p>
      <PageTitle onBack={onBack}>{children}</PageTitle>
    </div>
  );
}
