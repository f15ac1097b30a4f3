import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { type AdminService, listAllServices } from '#contract/catalogue.ts';
import { searchedWords } from '#contract/fold.ts';
import { searchLength } from '#contract/shapes.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { useFallbackFocus } from '#web/features/admin/shared/use-fallback-focus.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Field } from '#web/ui/field.tsx';
import { LayersIcon, SearchIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { ExchangeDialog } from './exchange-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { type Move, moveBy, moveTo, useMoves } from './moves.ts';
import { ServicesCount, useOpenNodes } from './open-nodes.tsx';
import { searchServices } from './search-services.ts';
import { EditorFrame, useServiceEditor } from './service-editor.tsx';
import { ServiceForm } from './service-form.tsx';
import { allBelow, buildTree, mayStandUnder, rowsOf, type TreeRow } from './service-tree.ts';
import type { RowActions } from './tree-line.tsx';
import { TreeView, useContainerWidth } from './tree-view.tsx';

const none: AdminService[] = [];

export default function ServicesTab() {
  const query = useEndpoint(listAllServices, {}, { pollEveryMs: pollEveryMs.adminServices });
  const services = query.data ?? none;
  const [typed, setTyped] = useState('');
  const deferred = useDeferredValue(typed);
  const words = useMemo(() => searchedWords(deferred), [deferred]);
  const [deletedId, setDeletedId] = useState<number>();
  const [placedId, setPlacedId] = useState<number>();
  const [focusId, setFocusId] = useState<number>();
  const [isExchanging, setExchanging] = useState(false);
  const [said, setSaid] = useState('');
  const body = useRef<HTMLDivElement>(null);
  const isBeside = useContainerWidth(body, 62);

  const moves = useMoves({ onMoved: (moved) => editor.recordOwn(moved) });
  const tree = useMemo(() => buildTree(services, moves.orders), [services, moves.orders]);
  const editor = useServiceEditor(tree);
  const search = useMemo(() => (words.length > 0 ? searchServices(tree, words) : undefined), [tree, words]);
  const nodes = useOpenNodes(tree, words.join(' '), search);
  const rows = rowsOf(tree, nodes.isOpen, search && ((id) => search.wanted.has(id)));

  const show = ({ id, parentId }: { id: number; parentId: number | null }) => {
    nodes.reveal(parentId);
    setFocusId(id);
  };
  const reorder = (move: Move) => {
    moves.reorder(move);
    setSaid(`${tree.byId.get(move.id)?.name} : position ${move.ids.indexOf(move.id) + 1} sur ${move.ids.length}.`);
  };
  const reparent = async (move: Move) => {
    const service = tree.byId.get(move.id);
    const done = service !== undefined && (await moves.reparent(move, service));
    if (done) show(move);
    if (done) setSaid(`${tree.byId.get(move.id)?.name} : déplacé.`);
    return done;
  };
  const actions: RowActions = {
    toggle: (id, open) => nodes.set([id], open),
    edit: editor.open,
    remove: ({ id }) => setDeletedId(id),
    place: ({ id }) => setPlacedId(id),
    moveBy({ service: { id, parentId } }, by) {
      const shown = rows.filter(({ service }) => service.parentId === parentId).map(({ service }) => service.id);
      const move = moveBy(tree, id, by, shown);
      if (move) reorder(move);
    },
    mayDrop: (id, target) => mayStandUnder(tree, id, moveTo(tree, id, target)?.parentId ?? null),
    drop(id, target) {
      const move = moveTo(tree, id, target);
      if (move && move.parentId === tree.byId.get(id)?.parentId) reorder(move);
      else if (move) void reparent(move);
    },
  };

  const { editing } = editor;
  const fallback = useFallbackFocus<HTMLDivElement>(editing !== undefined);
  const deleted = tree.byId.get(deletedId ?? 0);
  const placed = tree.byId.get(placedId ?? 0);
  const create = <Button onClick={() => editor.create(null)}>Nouveau Service</Button>;
  return (
    <>
      <TabTitle
        aside={
          <>
            <Button variant="plain" onClick={() => setExchanging(true)}>
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
        onChange={({ target }) => {
          setTyped(target.value);
          setFocusId(undefined);
        }}
      />
      <p role="status" className="sr-only">
        {said}
      </p>
      <div
        ref={body}
        className={join(
          'mt-3',
          isBeside &&
            editing &&
            'grid grid-cols-[minmax(0,1fr)_28rem] 2xl:grid-cols-[minmax(0,1fr)_32rem] items-start gap-3',
        )}
      >
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
          {() => (
            <div ref={fallback} tabIndex={-1} className="outline-none">
              <ServicesCount tree={tree} search={search} nodes={nodes} />
              {rows.length === 0 ? (
                <EmptyState Icon={SearchIcon} title="Aucun service trouvé" />
              ) : (
                <TreeView
                  rows={rows}
                  words={words}
                  editedId={editing?.base?.id}
                  reparentingId={moves.reparentingId}
                  focusId={focusId}
                  onFocused={() => setFocusId(undefined)}
                  actions={actions}
                />
              )}
            </div>
          )}
        </QueryState>
        {editing && (
          <EditorFrame
            key={editing.key}
            title={editing.base ? 'Modifier le service' : 'Nouveau service'}
            isBeside={isBeside}
            onClose={editor.leave}
          >
            <ServiceForm
              editor={editor}
              editing={editing}
              tree={tree}
              onSaved={(saved) => {
                editor.close();
                if (saved) show(saved);
              }}
            />
          </EditorFrame>
        )}
      </div>
      {editor.asking && (
        <ConfirmDialog
          title="Abandonner vos modifications ?"
          confirm="Abandonner"
          onConfirm={async () => editor.asking?.drop()}
          onClose={editor.asking.stay}
        >
          <p>Ce que vous avez saisi n'est pas enregistré.</p>
        </ConfirmDialog>
      )}
      {placed && (
        <MoveDialog
          service={placed}
          tree={tree}
          onReorder={reorder}
          onReparent={reparent}
          onClose={() => setPlacedId(undefined)}
        />
      )}
      {deleted && (
        <DeleteDialog
          service={deleted}
          below={allBelow(tree, deleted.id).length}
          onDeleted={() => {
            setDeletedId(undefined);
            setFocusId(neighbourOf(rows, deleted.id));
            if (editing?.base?.id === deleted.id) editor.close();
          }}
          onClose={() => setDeletedId(undefined)}
        />
      )}
      {isExchanging && <ExchangeDialog onClose={() => setExchanging(false)} />}
    </>
  );
}

function neighbourOf(rows: readonly TreeRow[], id: number): number | undefined {
  const at = rows.findIndex(({ service }) => service.id === id);
  return (rows[at + 1] ?? rows[at - 1])?.service.id;
}
