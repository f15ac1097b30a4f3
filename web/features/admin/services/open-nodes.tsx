import { useState } from 'react';
import { formatCount } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import type { SearchResult } from './search-services.ts';
import { pathOf, type ServiceTree } from './service-tree.ts';

/**
 * The expanded services. During a search the matches' ancestors are open, and manual changes apply to that search only.
 */
export function useOpenNodes(tree: ServiceTree, words: string, search: SearchResult | undefined) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [searched, setSearched] = useState<{ words: string; toggled: ReadonlyMap<number, boolean> }>();
  const toggled = searched?.words === words ? searched.toggled : undefined;
  const isOpen = (id: number) => (search ? (toggled?.get(id) ?? search.open.has(id)) : open.has(id));
  const set = (ids: readonly number[], to: boolean) => {
    if (search) {
      const next = new Map(toggled);
      for (const id of ids) next.set(id, to);
      setSearched({ words, toggled: next });
    } else {
      setOpen((before) => {
        const next = new Set(before);
        for (const id of ids)
          if (to) next.add(id);
          else next.delete(id);
        return next;
      });
    }
  };
  return {
    isOpen,
    set,
    /** Expands all ancestors. */
    reveal: (parentId: number | null) =>
      set(
        pathOf(tree, parentId).map(({ id }) => id),
        true,
      ),
  };
}

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
