import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react';
import { CrossIcon } from './control-icons.tsx';
import { join } from './join.ts';

export interface Toast {
  title: string;
  description?: string;
  destructive?: boolean;
}

const ToastContext = createContext<((toast: Toast) => void) | undefined>(undefined);

/** Milliseconds a toast stays; a new one replaces it. */
const displayTime = 5_000;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Toast & { at: number }>();
  const layer = useRef<HTMLDivElement>(null);
  const show = useCallback((toast: Toast) => setShown({ ...toast, at: performance.now() }), []);
  useEffect(() => {
    const element = layer.current;
    if (!shown || !element) return;
    // The browser's top layer, entered anew each time: the only place above an open dialog.
    element.showPopover();
    const timer = setTimeout(() => setShown(undefined), displayTime);
    return () => {
      clearTimeout(timer);
      element.hidePopover();
    };
  }, [shown]);
  return (
    <ToastContext value={show}>
      {children}
      <div
        ref={layer}
        popover="manual"
        className="pointer-events-none fixed inset-x-0 top-auto bottom-[calc(4.5rem+env(safe-area-inset-bottom))] m-0 w-full justify-center overflow-visible border-0 bg-transparent p-3 [&:popover-open]:flex"
        role={shown?.destructive ? 'alert' : 'status'}
        aria-live={shown?.destructive ? 'assertive' : 'polite'}
      >
        {shown && <ToastCard key={shown.at} toast={shown} onClose={() => setShown(undefined)} />}
      </div>
    </ToastContext>
  );
}

function ToastCard({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  return (
    <div
      className={join(
        'rise pointer-events-auto flex w-full max-w-md items-start gap-2 rounded-xl border-l-8 bg-ink py-2 pr-1 pl-4 text-white shadow-lg',
        toast.destructive ? 'border-l-[#f87171]' : 'border-l-[#4ade80]',
      )}
    >
      <div className="min-w-0 flex-1 py-1.5">
        <p className="font-semibold">{toast.title}</p>
        {toast.description && <p className="text-sm">{toast.description}</p>}
      </div>
      <button
        type="button"
        className="flex size-11 shrink-0 items-center justify-center rounded-lg outline-white"
        aria-label="Fermer le message"
        onClick={onClose}
      >
        <CrossIcon className="size-5" />
      </button>
    </div>
  );
}

/** Shows a toast for 5 seconds; only one is shown at a time. */
export function useToast(): (toast: Toast) => void {
  const show = use(ToastContext);
  if (!show) throw new Error('useToast must be used within a ToastProvider');
  return show;
}
