import { Fragment, useLayoutEffect, useRef, useState } from 'react';
import type { Service } from '#contract/catalogue.ts';
import { parsePrice } from '#contract/money.ts';
import { type CommissionRule, priceOf } from '#contract/pricing.ts';
import { addresses, levelAddress } from '#web/addresses.ts';
import { ServiceRow } from '#web/catalogue/service-card.tsx';
import { emojiFor, ServicePicture } from '#web/catalogue/service-text.tsx';
import { goBack, navigate, Redirect } from '#web/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LayersIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { oneColumn } from './limits.ts';
import { RowList } from './service-lists.tsx';
import { childrenIn, failure, leadsNowhere, loading, useCatalogue, useOpen } from './use-catalogue.ts';

/** What a final service costs with its commission, where it has a price and that is more. */
function totalOf(service: Service): number | undefined {
  const { isFinalLevel, allowUserPriceInput, commissionType: type, commissionValue: value } = service;
  const amount = (isFinalLevel && !allowUserPriceInput && parsePrice(service.price)) || 0;
  const ranges = service.commissionRanges.map((range) => ({
    ...range,
    rate: { type: range.commissionType, value: range.commissionValue },
  }));
  const rule: CommissionRule = type === 'range' ? { type, ranges } : { type, value };
  const { total } = priceOf(amount, rule);
  return total > amount ? total : undefined;
}

/** The services whose picture another one of them has too: their operator, if any, says more. */
function alike(services: readonly Service[]): (service: Service) => boolean {
  const pictureOf = ({ name, pictureUrl }: Service) => pictureUrl ?? emojiFor(name);
  const pictures = services.map(pictureOf);
  return (service) => pictures.filter((picture) => picture === pictureOf(service)).length > 1;
}

/** The children of a service; `ids` are those from the root down to it. */
export default function LevelScreen({ ids }: { ids: number[] }) {
  const catalogue = useCatalogue({ wanted: true });
  const open = useOpen();
  const trail = ids.map((id) => catalogue.data?.find((service) => service.id === id));
  const path = trail.filter((service) => service !== undefined);
  const isWhole = path.length === ids.length;
  if (catalogue.data && !catalogue.isKept && !isWhole) return <Redirect to={addresses.home} />;
  if (isWhole && path.at(-1)?.isFinalLevel) return <FinalService path={path} />;
  const level = {
    ...catalogue,
    data: isWhole ? childrenIn(catalogue.data, ids.at(-1)) : undefined,
    // An earlier visit's catalogue may lack a newer service.
    isPending: !catalogue.isError,
  };
  const up = () => goBack(levelAddress(ids.slice(0, -1)));
  const family = childrenIn(catalogue.data, undefined)?.findIndex(({ id }) => id === ids[0]) ?? 0;
  const names = path.map(({ name }) => name);
  const isAlike = alike(level.data ?? []);
  return (
    <Column>
      <div className={`family family-${family % 4}`}>
        <PageTitle after="- Services" onBack={up} mark={path[0] && <ServicePicture service={path[0]} size="head" />}>
          {trail.at(-1)?.name ?? '…'}
        </PageTitle>
        <Trail
          names={['Accueil', ...trail.slice(0, -1).map((service) => service?.name ?? '…')]}
          onOpen={(depth) => navigate(levelAddress(ids.slice(0, depth)))}
        />
        <QueryState
          query={level}
          loading={loading}
          failure={failure}
          empty={
            <EmptyState
              Icon={LayersIcon}
              title="Aucun service disponible à ce niveau."
              text="Choisissez un autre service."
            >
              <Button onClick={up}>Retour</Button>
            </EmptyState>
          }
        >
          {(services) => (
            <RowList single={services.length <= oneColumn}>
              {services.map((service) => (
                <ServiceRow
                  key={service.id}
                  service={service}
                  total={totalOf(service)}
                  leadsNowhere={leadsNowhere(service, catalogue.data)}
                  above={isAlike(service) ? names : undefined}
                  onSelect={() => open([...path, service])}
                />
              ))}
            </RowList>
          )}
        </QueryState>
      </div>
    </Column>
  );
}

/** An address of a final service leads to its order. */
function FinalService({ path }: { path: Service[] }) {
  const open = useOpen();
  const opening = useRef(() => open(path, { replace: true }));
  useLayoutEffect(() => opening.current(), []);
  return null;
}

const slash = (
  <span className="text-edge text-body" aria-hidden="true">
    /
  </span>
);

/** Where the middle of a path of three names, or of more, has room. */
const room = {
  three: { names: 'hidden @min-[20rem]:flex', fold: 'flex @min-[20rem]:hidden' },
  more: { names: 'hidden @min-[38rem]:flex', fold: 'flex @min-[38rem]:hidden' },
};

/** The path to a level, root first, on one line: where it is too long its middle folds, until one asks for it. */
function Trail({
  names,
  onOpen,
}: {
  names: string[];
  /** Opens the level at that depth; 0 is the top. */
  onOpen: (depth: number) => void;
}) {
  const [unfolded, setUnfolded] = useState<string>();
  const path = names.join('/');
  const isUnfolded = unfolded === path;
  const last = names.length - 1;
  const middle = room[last > 2 ? 'more' : 'three'];
  return (
    <nav aria-label="Fil d'Ariane" className="family-strip @container -mt-4 mb-4">
      <ol className={join('-mx-1.5 flex items-center', isUnfolded && 'flex-wrap')}>
        {names.map((name, depth) => (
          // A level is identified by its depth.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Fragment key={depth}>
            {depth === 1 && last > 1 && !isUnfolded && (
              <li className={join('items-center', middle.fold)}>
                <Crumb name="…" title="Afficher le chemin entier" onClick={() => setUnfolded(path)} />
                {slash}
              </li>
            )}
            <li
              className={join(
                'items-center',
                depth > 0 && depth < last && !isUnfolded ? join(middle.names, 'min-w-11 shrink-999') : 'flex',
                depth > 0 && depth === last && 'min-w-11',
              )}
            >
              <Crumb name={name} title={name} onClick={() => onOpen(depth)} />
              {depth < last && slash}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}

function Crumb({ name, ...rest }: { name: string; title: string; onClick: () => void }) {
  return (
    <button
      type="button"
      className="min-h-11 min-w-0 truncate px-1.5 text-(--family) text-body -outline-offset-4 hover:underline"
      {...rest}
    >
      {name}
    </button>
  );
}
