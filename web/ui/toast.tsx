import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react';
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
  const show = useCallback((toast: Toast) => setShown({ ...toast, at: performance.now() }), []);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setShown(undefined), displayTime);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <ToastContext value={show}>
      {children}
      <div
        className="pointer-events-none fixed inset-x-0 top-0 z-50 flex justify-center p-3"
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
