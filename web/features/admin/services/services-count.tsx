import { formatCount } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import type { SearchResult } from './search-services.ts';
import type { ServiceTree } from './service-tree.ts';
import type { useOpenNodes } from './use-open-nodes.ts';

/** The number of services or matches, with buttons to expand all or collapse to the first level. */
export function ServicesCount({
  tree,
  search,
  nodes,
}: {
  tree: ServiceTree;
  search: SearchResult | undefined;
  nodes: ReturnType<typeof useOpenNodes>;
}) {
  const parents = tree.services.filter(({ id }) => tree.childrenOf(id).length > 0).map(({ id }) => id);
  const isAnyOpen = parents.some(nodes.isOpen);
  return (
    <div className="mb-1.5 flex min-h-9 flex-wrap items-center justify-between gap-x-3">
      <p role="status" className="text-soft text-sm">
        {search ? `${services(search.found)} trouvé${search.found > 1 ? 's' : ''}` : services(tree.services.length)}
      </p>
      {parents.length > 0 && (
        <Button variant="quiet" small onClick={() => nodes.set(parents, !isAnyOpen)}>
          {isAnyOpen ? 'Tout replier' : 'Tout déplier'}
        </Button>
      )}
    </div>
  );
}

const services = (count: number) => `${formatCount(count)} service${count > 1 ? 's' : ''}`;
