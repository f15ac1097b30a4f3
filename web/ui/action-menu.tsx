import * as Menu from '@radix-ui/react-dropdown-menu';
import { Fragment, useRef } from 'react';
import { Drawing } from './drawing.tsx';
import { join } from './join.ts';

interface ActionItem<Name extends string> {
  name: Name;
  label: string;
  /** 'danger' for irreversible actions, set apart at the end. */
  tone?: 'danger';
}

/** A button with a menu of actions for the element beside it, which `label` names for screen readers. */
export function ActionMenu<Name extends string>({
  label,
  items,
  onChoose,
}: {
  label: string;
  items: readonly ActionItem<Name>[];
  onChoose: (name: Name) => void;
}) {
  const chosen = useRef<Name>(undefined);
  const ordered = [...items].sort((a, b) => Number(a.tone === 'danger') - Number(b.tone === 'danger'));
  // Not modal: a modal menu writes a <style> into the page, which the security policy refuses.
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger
        aria-label={label}
        className="flex size-11 shrink-0 items-center justify-center rounded-xl text-soft hover:bg-leaf-pale hover:text-ink data-[state=open]:bg-leaf-pale data-[state=open]:text-leaf-dark"
      >
        <Drawing className="size-5">
          <path d="M12 5h.01M12 12h.01M12 19h.01" strokeWidth="3" />
        </Drawing>
      </Menu.Trigger>
      <Menu.Content
        align="end"
        sideOffset={4}
        collisionPadding={8}
        // The action runs once the button has the focus again, so that a dialog restores the focus to it.
        onCloseAutoFocus={() => {
          if (chosen.current !== undefined) onChoose(chosen.current);
          chosen.current = undefined;
        }}
        className="rise z-30 max-h-(--radix-dropdown-menu-content-available-height) w-max overflow-y-auto min-w-[min(14rem,calc(100vw-1rem))] max-w-[min(20rem,calc(100vw-1rem))] short:max-w-[calc(100vw-1rem)] rounded-xl border border-line bg-card p-1.5 short:py-1 short:grid short:grid-cols-2 text-ink shadow-lg"
      >
        {ordered.map(({ name, label: words, tone }, index) => (
          <Fragment key={name}>
            {tone === 'danger' && ordered[index - 1]?.tone !== tone && index > 0 && (
              <Menu.Separator className="-mx-1.5 my-1.5 h-px short:col-span-2 short:my-0 bg-line" />
            )}
            <Menu.Item
              onSelect={() => {
                chosen.current = name;
              }}
              className={join(
                'flex min-h-11 cursor-pointer select-none items-center rounded-lg px-3 py-1.5 leading-tight outline-none',
                tone === 'danger'
                  ? 'text-brick data-[highlighted]:bg-brick-pale'
                  : 'data-[highlighted]:bg-leaf-pale data-[highlighted]:text-leaf-dark',
              )}
            >
              {words}
            </Menu.Item>
          </Fragment>
        ))}
      </Menu.Content>
    </Menu.Root>
  );
}
