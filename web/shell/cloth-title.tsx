import { addresses } from '#web/addresses.ts';
import { goBack } from '#web/router.tsx';
import { PageTitle } from '#web/ui/page.tsx';

/** The title of a screen that people come to from elsewhere: its head of cloth says where they are. */
export function ClothTitle({ children }: { children: string }) {
  return (
    <div className="cloth -mt-1.5 pt-3 pb-4">
      <p className="font-display font-extrabold text-2xl leading-tight tracking-tight">Guichet</p>
      <PageTitle onBack={() => goBack(addresses.home)}>{children}</PageTitle>
    </div>
  );
}
