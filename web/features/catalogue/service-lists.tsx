import { Children, type ReactNode } from 'react';
import type { Service } from '#contract/catalogue.ts';
import { ServiceCard } from '#web/catalogue/service-card.tsx';
import type { ServicePath } from '#web/catalogue/service-paths.ts';
import { ServicePicture } from '#web/catalogue/service-text.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';
import { useMedia } from '#web/ui/use-media.ts';
import { childrenShown } from './limits.ts';
import { childrenIn, leadsNowhere } from './use-catalogue.ts';

/** Where a family's card has room for what is below it. */
const roomy = '(min-width: 48rem)';

const gridClass =
  'grid grid-cols-[repeat(auto-fill,minmax(min(100%,max(7.5rem,34%)),1fr))] gap-2 md:grid-cols-3 md:gap-3 lg:grid-cols-[repeat(auto-fill,minmax(min(100%,max(14rem,20%)),1fr))]';

/** The families of a row begin their lists at one height, whatever is above them. */
const evenClass =
  'supports-[grid-template-rows:subgrid]:row-span-2 supports-[grid-template-rows:subgrid]:grid supports-[grid-template-rows:subgrid]:grid-rows-subgrid supports-[grid-template-rows:subgrid]:gap-y-0';

/** The classes of headings on home. */
export const headingClass = 'mb-2 font-bold font-display text-large leading-tight';

/** The families: 2, 3 or 4 per row; 1 on a phone with twice the text size. On a desk each with its first children. */
export function ServiceGrid({
  services,
  catalogue,
  isExpected,
  onOpen,
}: {
  services: Service[];
  catalogue: Service[] | undefined;
  /** Whether the catalogue is there or on its way: what is in the families has its place. */
  isExpected: boolean;
  onOpen: (path: ServicePath) => void;
}) {
  const hasRoom = useMedia(roomy) && isExpected;
  return (
    <ul className={gridClass}>
      {services.map((family) => (
        <li
          key={family.id}
          className={join(
            'family flex',
            leadsNowhere(family, catalogue) && 'family-none',
            hasRoom && join(cardClass, 'min-h-109 flex-col', evenClass),
          )}
        >
          <div className={hasRoom ? 'flex min-h-44.25' : 'contents'}>
            <ServiceCard within={hasRoom} service={family} onSelect={() => onOpen([family])} />
          </div>
          {hasRoom && <FirstChildren family={family} catalogue={catalogue} onOpen={onOpen} />}
        </li>
      ))}
    </ul>
  );
}

function FirstChildren({
  family,
  catalogue,
  onOpen,
}: {
  family: Service;
  catalogue: Service[] | undefined;
  onOpen: (path: ServicePath) => void;
}) {
  const children = childrenIn(catalogue, family.id) ?? [];
  return (
    <ul>
      {children.slice(0, childrenShown).map((child) => (
        <li key={child.id} className="flex border-line border-t">
          <button
            type="button"
            className="flex min-h-13 w-full items-center gap-2.5 px-4 py-1 text-left text-body leading-snug -outline-offset-4 hover:bg-leaf-pale/40"
            onClick={() => onOpen([family, child])}
          >
            <ServicePicture service={child} size="tiny" />
            <span className="line-clamp-2 min-w-0 flex-1">{child.name}</span>
          </button>
        </li>
      ))}
      {children.length > childrenShown && (
        <li className="border-line border-t">
          <button
            type="button"
            className="min-h-11 w-full px-4 text-left font-bold text-(--family) text-body -outline-offset-4 hover:underline"
            onClick={() => onOpen([family])}
          >
            {`Tout voir (${children.length})`}
          </button>
        </li>
      )}
    </ul>
  );
}

/** A placeholder of the families of a new catalogue, the first two of which have a price, with a sentence. */
export function GridSkeleton({ text }: { text: string }) {
  return (
    <div role="status">
      <ul className={join(gridClass, 'breathe')} aria-hidden="true">
        {[0, 1, 2, 3].map((place) => (
          <li
            key={place}
            className={join(
              cardClass,
              place < 2 ? 'min-h-46 short:min-h-42' : 'min-h-37',
              'flex flex-col gap-2 p-2.5 md:min-h-109 md:p-4',
            )}
          >
            <span className="size-11 rounded-xl bg-line" />
            <span className="h-3.5 w-1/2 rounded bg-line" />
            <span className="h-3 rounded bg-line" />
            <span className="h-3 w-2/5 rounded bg-line" />
            <span className="-mx-4 mt-auto -mb-4 hidden md:block">
              {[0, 1, 2, 3].map((row) => (
                <span key={row} className="flex min-h-13.25 items-center gap-2.5 border-line border-t px-4">
                  <span className="size-9 rounded-xl bg-line" />
                  <span className="h-3 w-1/2 rounded bg-line" />
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-center text-soft text-small">{text}</p>
    </div>
  );
}

/** Rows in one card, divided by lines; several of them two per line on a desktop, unless `single`. */
export function RowList({
  single,
  inFamilies,
  children,
}: {
  single?: boolean;
  /** One row of each family, in their order and colours. */
  inFamilies?: boolean;
  children: ReactNode;
}) {
  return (
    <ul
      className={join(cardClass, 'grid overflow-hidden', !single && Children.count(children) > 1 && 'lg:grid-cols-2')}
    >
      {Children.map(
        children,
        (child) =>
          child && (
            <li
              className={join(
                '-mb-px flex border-line border-b',
                !single && 'lg:odd:not-last:border-r',
                inFamilies && 'family',
              )}
            >
              {child}
            </li>
          ),
      )}
    </ul>
  );
}
