import type { CSSProperties } from 'react';
import type { AdminService } from '#contract/catalogue.ts';
import { ServicePicture } from '#web/catalogue/service-text.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { BinIcon, EditIcon, MoveIcon } from '#web/features/admin/shared/row-icons.tsx';
import { ActionMenu } from '#web/ui/action-menu.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { icon } from '#web/ui/drawing.tsx';
import { ChevronIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { useMedia } from '#web/ui/use-media.ts';
import { commissionWords } from './commission-ranges.ts';
import type { TreeRow } from './service-tree.ts';

const NoteIcon = icon('M4 4h16v11l-5 5H4zM20 15h-5v5M8 9h8m-8 4h4');

interface RowActions {
  toggle: (id: number, open: boolean) => void;
  edit: (service: AdminService) => void;
  /** Opens the dialog for another place. */
  move: (service: AdminService) => void;
  remove: (service: AdminService) => void;
}

const choices = [
  { name: 'edit', label: 'Modifier', Icon: EditIcon },
  { name: 'move', label: 'Déplacer', Icon: MoveIcon },
  { name: 'remove', label: 'Supprimer', Icon: BinIcon, tone: 'danger' },
] as const;

/** The catalogue as a list of open levels. A click on a service opens what it contains, or its form. */
export function TreeView({
  rows,
  found,
  edited,
  ...line
}: {
  rows: readonly TreeRow[];
  /** The matches of a search. */
  found: ReadonlySet<number> | undefined;
  /** The service whose form stands beside the tree. */
  edited: number | undefined;
  /** The form takes their space. */
  areActionsFolded: boolean;
  actions: RowActions;
}) {
  return (
    <ul aria-label="Services" className={join(cardClass, '@container')}>
      {rows.map((row) => (
        <TreeLine
          key={row.service.id}
          row={row}
          isFound={found?.has(row.service.id) === true}
          isEdited={row.service.id === edited}
          {...line}
        />
      ))}
    </ul>
  );
}

function TreeLine({
  row,
  isFound,
  isEdited,
  areActionsFolded,
  actions,
}: {
  row: TreeRow;
  isFound: boolean;
  isEdited: boolean;
  areActionsFolded: boolean;
  actions: RowActions;
}) {
  const { service, children, isOpen, isHiddenAbove } = row;
  const isShown = service.isVisible && !isHiddenAbove;
  const note = service.operatorNote && `Note interne\u00a0: ${service.operatorNote}`;
  return (
    <li
      data-service={service.id}
      style={{ '--depth': service.level - 1 } as CSSProperties}
      className={join(
        'relative flex items-center gap-2 border-line border-b pr-2 first:rounded-t-card last:rounded-b-card last:border-b-0 [--indent:0.25rem] @3xs:[--indent:0.75rem] @lg:[--indent:1.25rem]',
        isEdited ? 'bg-leaf-pale' : isShown ? 'hover:bg-ground' : 'bg-ground text-soft',
      )}
      aria-current={isEdited || undefined}
    >
      <button
        type="button"
        aria-expanded={children > 0 ? isOpen : undefined}
        aria-description={note || undefined}
        onClick={() => (children > 0 ? actions.toggle(service.id, !isOpen) : actions.edit(service))}
        className="flex min-h-13 min-w-0 flex-1 items-center gap-2 py-1.5 pl-[calc(0.5rem+var(--depth)*var(--indent))] text-left outline-offset-[-3px]"
      >
        <span className="flex w-5 shrink-0 justify-center text-soft">
          {children > 0 && (
            <ChevronIcon className={join('size-4 transition-transform', isOpen && 'transform-[rotate(90deg)]')} />
          )}
        </span>
        <span className={join('hidden @3xs:flex', !isShown && 'opacity-50')}>
          <ServicePicture service={service} size="tiny" />
        </span>
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-0.5 pr-9 @lg:grid @lg:pr-0 @lg:grid-cols-[auto_minmax(0,1fr)] @2xl:grid-cols-[minmax(0,1fr)_auto_8.5rem] @2xl:gap-y-0">
          <span
            className="wrap-anywhere col-span-2 line-clamp-3 grow font-semibold leading-tight @lg:line-clamp-1 @lg:text-body @2xl:col-span-1"
            title={service.name}
          >
            <span className={isFound ? 'rounded-sm bg-amber-pale ring-1 ring-amber/40' : undefined}>
              {service.name}
            </span>
            {note && (
              <span aria-hidden="true" title={note} className="ml-1.5 inline-block align-[-0.2em]">
                <NoteIcon className="size-4 text-amber" />
              </span>
            )}
          </span>
          <span className="flex flex-wrap items-center gap-1 @3xs:whitespace-nowrap @lg:flex-nowrap @2xl:row-span-2 @2xl:justify-end [&>span]:px-2 [&>span]:text-small">
            {!service.isVisible && <Badge tone="red">Masqué</Badge>}
            {service.isFinalLevel && <Badge tone="green">Service final</Badge>}
            <Badge>{`Niveau ${service.level}`}</Badge>
          </span>
          <Facts service={service} />
          <Charge service={service} />
        </span>
      </button>
      <LineActions service={service} areFolded={areActionsFolded} actions={actions} />
    </li>
  );
}

function LineActions({
  service,
  areFolded,
  actions,
}: {
  service: AdminService;
  areFolded: boolean;
  actions: RowActions;
}) {
  const isWide = useMedia('(min-width: 64rem)');
  return isWide && !areFolded ? (
    // The frames come with the pointer or the focus: 145 rows with three are a wall.
    <span className="flex gap-1 *:border-transparent *:bg-transparent in-[li:focus-within]:*:border-edge in-[li:hover]:*:border-edge in-[li:hover]:*:text-ink">
      {choices.map(({ name, label, Icon }) => (
        <RowButton
          key={name}
          name={label}
          Icon={Icon}
          of={service.name}
          small
          variant="plain"
          onClick={() => actions[name](service)}
        />
      ))}
    </span>
  ) : (
    <span className="absolute top-1 right-1 @lg:static">
      <ActionMenu label={`Actions pour ${service.name}`} items={choices} onChoose={(name) => actions[name](service)} />
    </span>
  );
}

/** The own price of a service, and below it what is added to that. */
function Charge({ service: { price, isFinalLevel, ...rule } }: { service: AdminService }) {
  const commission = isFinalLevel ? commissionWords(rule) : '';
  if (!price && !commission) return null;
  return (
    <span className="flex min-w-0 flex-wrap gap-x-2 tabular-nums leading-tight @2xl:col-start-3 @2xl:row-span-2 @2xl:row-start-1 @2xl:flex-col @2xl:text-right">
      {price && <span className="truncate text-body">{price}</span>}
      {commission && <span className="truncate text-soft text-small">{commission}</span>}
    </span>
  );
}

/** The code and the description, as far as space allows. */
function Facts({ service: { phoneNumber, description } }: { service: AdminService }) {
  if (!phoneNumber && !description) return null;
  return (
    <span
      className={join(
        'text-soft text-small @lg:truncate @max-lg:line-clamp-2 @max-lg:basis-full',
        phoneNumber === null && '@max-3xs:hidden',
      )}
      title={[phoneNumber, description].filter(Boolean).join(' · ')}
    >
      {phoneNumber && <span className="font-mono">{phoneNumber}</span>}
      {phoneNumber && description && <span> · </span>}
      <span>{description}</span>
    </span>
  );
}
