import { type ComponentProps, useDeferredValue, useMemo, useRef, useState } from 'react';
import { type AdminService, listAllServices } from '#contract/catalogue.ts';
import { searchedWords } from '#contract/fold.ts';
import { searchLength } from '#contract/shapes.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import type { Leave } from '#web/features/admin/shared/edit-dialog.tsx';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { formatCounted } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Field } from '#web/ui/field.tsx';
import { LayersIcon, SearchIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
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
  const leaving = useRef<Leave>(null);
  // What is typed beside the tree is not dropped unasked.
  const open = (next: Opened) => {
    const go = () => setOpened(next);
    if (leaving.current) leaving.current(go);
    else go();
  };
  const { heading, around } = useFocusFallback<HTMLDivElement>();

  const close = () => setOpened(undefined);
  const closeAndShow = ({ parentId }: AdminService) => {
    close();
    nodes.reveal(parentId);
  };
  const create = <Button onClick={() => open({ what: 'create' })}>Nouveau Service</Button>;
  const isEditing = opened?.what === 'edit' || opened?.what === 'create';
  return (
    // The form stands at the right of it, from there to the edge of the screen.
    <div className={join('[--beside:clamp(28rem,40vw,38rem)]', isEditing && 'lg:pr-(--beside)')}>
      <TabTitle
        count={
          query.data &&
          formatCounted(search ? search.found.size : services.length, search ? 'service trouvé' : 'service')
        }
        aside={
          <>
            <Button variant="plain" onClick={() => open({ what: 'exchange' })}>
              Importer, exporter
            </Button>
            {create}
          </>
        }
      >
        Gestion Hiérarchique des Services
      </TabTitle>
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-0 flex-1 basis-48">
          <Field
            label="Rechercher dans le catalogue"
            labelHidden
            type="search"
            placeholder="Rechercher dans le catalogue"
            maxLength={searchLength}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        <FoldAll tree={tree} nodes={nodes} />
      </div>
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
          {() => <FoundServices tree={tree} search={search} nodes={nodes} opened={opened} onOpen={open} />}
        </QueryState>
      </div>
      {opened && <OpenedDialog opened={opened} tree={tree} leaving={leaving} onSaved={closeAndShow} onClose={close} />}
    </div>
  );
}

function OpenedDialog({
  opened,
  ...editor
}: { opened: Opened } & Omit<ComponentProps<typeof ServiceEditor>, 'service'>) {
  const { tree, onSaved, onClose } = editor;
  if (opened.what === 'exchange') return <ExchangeDialog onClose={onClose} />;
  if (!('service' in opened)) return <ServiceEditor key="new" service={undefined} {...editor} />;
  // As it is now, or as it was before another administrator deleted it.
  const service = tree.byId.get(opened.service.id) ?? opened.service;
  if (opened.what === 'edit') return <ServiceEditor key={service.id} service={service} {...editor} />;
  if (opened.what === 'move') return <MoveDialog service={service} tree={tree} onMoved={onSaved} onClose={onClose} />;
  return <DeleteDialog service={service} contained={tree.childrenOf(service.id).length} onClose={onClose} />;
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

function FoundServices({
  opened,
  onOpen,
  tree,
  search,
  nodes,
}: Found & { opened: Opened | undefined; onOpen: (opened: Opened) => void }) {
  const rows = rowsOf(tree, nodes.isOpen, search && ((id) => search.wanted.has(id)));
  if (rows.length === 0) return <EmptyState Icon={SearchIcon} title="Aucun service trouvé" />;
  return (
    <TreeView
      rows={rows}
      found={search?.found}
      edited={opened?.what === 'edit' ? opened.service.id : undefined}
      areActionsFolded={opened?.what === 'edit' || opened?.what === 'create'}
      actions={{
        toggle: (id, open) => nodes.set([id], open),
        edit: (service) => onOpen({ what: 'edit', service }),
        remove: (service) => onOpen({ what: 'remove', service }),
        move: (service) => onOpen({ what: 'move', service }),
      }}
    />
  );
}

function FoldAll({ tree, nodes }: Pick<Found, 'tree' | 'nodes'>) {
  const parents = tree.services.filter(({ id }) => tree.childrenOf(id).length > 0).map(({ id }) => id);
  const isAnyOpen = parents.some(nodes.isOpen);
  if (parents.length === 0) return null;
  return (
    <Button variant="quiet" tight onClick={() => nodes.set(parents, !isAnyOpen)}>
      {isAnyOpen ? 'Tout replier' : 'Tout déplier'}
    </Button>
  );
}
