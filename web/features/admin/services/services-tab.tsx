import { useDeferredValue, useMemo, useState } from 'react';
import { type AdminService, listAllServices } from '#contract/catalogue.ts';
import { searchedWords } from '#contract/fold.ts';
import { searchLength } from '#contract/shapes.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { formatCounted } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Field } from '#web/ui/field.tsx';
import { LayersIcon, SearchIcon } from '#web/ui/icons.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { ExchangeDialog } from './exchange-dialog.tsx';
import { DeleteDialog, MoveDialog } from './service-dialogs.tsx';
import { ServiceEditor } from './service-editor.tsx';
import { buildTree, pathOf, rowsOf, type SearchResult, type ServiceTree, searchServices } from './service-tree.ts';
import { TreeView } from './tree-view.tsx';

const none: AdminService[] = [];

/** What is open over the tree, for a service or, without one, for all. */
type Opened = { what: 'edit' | 'move' | 'remove'; service: AdminService } | { what: 'create' | 'exchange' };

export default function ServicesTab() {
  const query = useEndpoint(listAllServices, {}, { pollEveryMs: pollEveryMs.adminServices });
  const services = query.data ?? none;
  const [typed, setTyped] = useState('');
  const deferred = useDeferredValue(typed);
  const words = useMemo(() => searchedWords(deferred), [deferred]);
  const tree = useMemo(() => buildTree(services), [services]);
  const search = useMemo(() => (words.length > 0 ? searchServices(tree, words) : undefined), [tree, words]);
  const nodes = useOpenNodes(tree, words.join(' '), search);
  const [opened, setOpened] = useState<Opened>();
  const { heading, around } = useFocusFallback<HTMLDivElement>();

  const close = () => setOpened(undefined);
  const closeAndShow = ({ parentId }: AdminService) => {
    close();
    nodes.reveal(parentId);
  };
  const create = <Button onClick={() => setOpened({ what: 'create' })}>Nouveau Service</Button>;
  return (
    <>
      <TabTitle
        aside={
          <>
            <Button variant="plain" onClick={() => setOpened({ what: 'exchange' })}>
              Importer, exporter
            </Button>
            {create}
          </>
        }
      >
        Gestion Hiérarchique des Services
      </TabTitle>
      <Field
        label="Rechercher dans le catalogue"
        labelHidden
        type="search"
        placeholder="Rechercher dans le catalogue"
        maxLength={searchLength}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <div {...heading} {...around} className="mt-3 outline-none">
        <QueryState
          query={query}
          loading="Chargement des services..."
          failure="Impossible de charger les services."
          empty={
            <EmptyState Icon={LayersIcon} title="Aucun service disponible">
              {create}
            </EmptyState>
          }
        >
          {() => <FoundServices tree={tree} search={search} nodes={nodes} onOpen={setOpened} />}
        </QueryState>
      </div>
      {opened && <OpenedDialog opened={opened} tree={tree} onSaved={closeAndShow} onClose={close} />}
    </>
  );
}

function OpenedDialog({
  opened,
  onSaved,
  ...dialog
}: {
  opened: Opened;
  tree: ServiceTree;
  onSaved: (service: AdminService) => void;
  onClose: () => void;
}) {
  if (opened.what === 'exchange') return <ExchangeDialog onClose={dialog.onClose} />;
  if (!('service' in opened)) return <ServiceEditor service={undefined} onSaved={onSaved} {...dialog} />;
  // As it is now, or as it was before another administrator deleted it.
  const service = dialog.tree.byId.get(opened.service.id) ?? opened.service;
  if (opened.what === 'edit') return <ServiceEditor service={service} onSaved={onSaved} {...dialog} />;
  if (opened.what === 'move') return <MoveDialog service={service} onMoved={onSaved} {...dialog} />;
  return <DeleteDialog service={service} onClose={dialog.onClose} />;
}

type Nodes = ReturnType<typeof useOpenNodes>;

/** The expanded services. A search opens the ancestors of its matches; what is toggled then applies to that search only. */
function useOpenNodes(tree: ServiceTree, words: string, search: SearchResult | undefined) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [searched, setSearched] = useState<{ words: string; open: ReadonlySet<number> }>();
  const shown = search ? (searched?.words === words ? searched.open : search.open) : open;
  const set = (ids: readonly number[], to: boolean) => {
    const next = new Set(shown);
    for (const id of ids)
      if (to) next.add(id);
      else next.delete(id);
    if (search) setSearched({ words, open: next });
    else setOpen(next);
  };
  const reveal = (parentId: number | null) =>
    set(
      pathOf(tree, parentId).map(({ id }) => id),
      true,
    );
  return { isOpen: (id: number) => shown.has(id), set, reveal };
}

interface Found {
  tree: ServiceTree;
  search: SearchResult | undefined;
  nodes: Nodes;
}

function FoundServices({ onOpen, ...found }: Found & { onOpen: (opened: Opened) => void }) {
  const { tree, search, nodes } = found;
  const rows = rowsOf(tree, nodes.isOpen, search && ((id) => search.wanted.has(id)));
  return (
    <>
      <ServicesCount {...found} />
      {rows.length === 0 ? (
        <EmptyState Icon={SearchIcon} title="Aucun service trouvé" />
      ) : (
        <TreeView
          rows={rows}
          found={search?.found}
          actions={{
            toggle: (id, open) => nodes.set([id], open),
            edit: (service) => onOpen({ what: 'edit', service }),
            remove: (service) => onOpen({ what: 'remove', service }),
            move: (service) => onOpen({ what: 'move', service }),
          }}
        />
      )}
    </>
  );
}

function ServicesCount({ tree, search, nodes }: Found) {
  const parents = tree.services.filter(({ id }) => tree.childrenOf(id).length > 0).map(({ id }) => id);
  const isAnyOpen = parents.some(nodes.isOpen);
  const count = search ? search.found.size : tree.services.length;
  return (
    <div className="mb-1.5 flex min-h-9 flex-wrap items-center justify-between gap-x-3">
      <p role="status" className="text-soft text-small">
        {formatCounted(count, search ? 'service trouvé' : 'service')}
      </p>
      {parents.length > 0 && (
        <Button variant="quiet" small onClick={() => nodes.set(parents, !isAnyOpen)}>
          {isAnyOpen ? 'Tout replier' : 'Tout déplier'}
        </Button>
      )}
    </div>
  );
}
