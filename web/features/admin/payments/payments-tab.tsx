import { Activity, type ComponentType, type ReactNode } from 'react';
import { adminTabAddress, incomingPaymentsAddress, paymentAccountsAddress } from '#web/admin-addresses.ts';
import { PillLinks } from '#web/features/admin/shared/pill-links.tsx';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { Chunk, part } from '#web/shell/chunk.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { IncomingSection } from './incoming-section.tsx';
import { PaymentTypesSection } from './payment-types-section.tsx';

const accountsSection = part(() => import('./accounts-section.tsx'));

/** Accounts are set up once: they come when they are asked for. */
function AccountsSection({ nav }: { nav: ReactNode }) {
  const waiting = (
    <>
      <TabTitle nav={nav}>Paiements</TabTitle>
      <SkeletonRows text="Chargement des comptes..." />
    </>
  );
  return <Chunk of={accountsSection} given={{ nav }} waiting={waiting} />;
}

const sections: { name: string; words: string; href: string; Section: ComponentType<{ nav: ReactNode }> }[] = [
  { name: 'types', words: 'Types de paiement', href: adminTabAddress('payments'), Section: PaymentTypesSection },
  { name: 'encaissements', words: 'Encaissements', href: incomingPaymentsAddress(), Section: IncomingSection },
  { name: 'comptes', words: 'Comptes', href: paymentAccountsAddress, Section: AccountsSection },
];

/** What people pay with, what came in, and where it comes in; another section keeps its state. */
export default function PaymentsTab() {
  const asked = useTabSearch().values.get('section');
  const current = sections.find(({ name }) => name === asked)?.name ?? 'types';
  const nav = (
    <PillLinks
      label="Sections des paiements"
      lead
      pills={sections.map(({ name, words, href }) => ({ words, href, isCurrent: name === current }))}
    />
  );
  return sections.map(({ name, Section }) => (
    <Activity key={name} mode={name === current ? 'visible' : 'hidden'}>
      <Section nav={name === current && nav} />
    </Activity>
  ));
}
