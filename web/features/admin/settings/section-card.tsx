import type { ReactNode } from 'react';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';

/** A section that is saved as a whole, with an unsaved mark beside its title. */
export function SectionCard({
  title,
  about,
  unsaved,
  children,
}: {
  title: string;
  about: string;
  unsaved: boolean;
  children: ReactNode;
}) {
  return (
    <Card className="flex flex-col gap-5">
      <div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <h2 className="font-bold text-lg">{title}</h2>
          <p role="status" className="empty:hidden">
            {unsaved && <Badge tone="amber">Modifications non enregistrées</Badge>}
          </p>
        </div>
        <p className="text-soft">{about}</p>
      </div>
      {children}
    </Card>
  );
}
