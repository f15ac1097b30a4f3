import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { CrossIcon } from './control-icons.tsx';
import { join } from './join.ts';
import { toastMs } from './limits.ts';

export interface Toast {
  title: string;
  description?: string;
  destructive?: boolean;
}

interface Toasts {
  shown: (Toast & { at: number }) | undefined;
  show: (toast: Toast) => void;
  close: () => void;
  /** Closes the toast if it shows a failure. */
  closeFailure: () => void;
  /** What was pressed last, by a finger, a mouse or a key; Safari does not give the focus to a button. */
  pressed: RefObject<Element | null>;
  /** Counts the dialogs that are open: what is outside of one can be neither pressed nor heard. */
  dialogs: number;
  enterDialog: () => () => void;
}

const ToastContext = createContext<Toasts | undefined>(undefined);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Toasts['shown']>();
  const [dialogs, setDialogs] = useState(0);
  const pressed = useRef<Element>(null);
  useEffect(() => {
    const note = (event: MouseEvent) => {
      pressed.current = event.target as Element;
    };
    addEventListener('click', note, true);
    return () => removeEventListener('click', note, true);
  }, []);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setShown(undefined), toastMs);
    return () => clearTimeout(timer);
  }, [shown]);
  const show = useCallback((toast: Toast) => setShown({ ...toast, at: performance.now() }), []);
  const close = useCallback(() => setShown(undefined), []);
  const closeFailure = useCallback(() => setShown((toast) => (toast?.destructive ? undefined : toast)), []);
  const enterDialog = useCallback(() => {
    setDialogs((count) => count + 1);
    return () => setDialogs((count) => count - 1);
  }, []);
  const toasts = useMemo(
    () => ({ shown, show, close, closeFailure, pressed, dialogs, enterDialog }),
    [shown, show, close, closeFailure, dialogs, enterDialog],
  );
  return (
    <ToastContext value={toasts}>
      {children}
      <ToastOutlet muted={dialogs > 0} />
    </ToastContext>
  );
}

/** Inside a dialog, the place where toasts appear while it is open. */
export function DialogToasts() {
  const { enterDialog } = useToasts();
  useEffect(enterDialog, [enterDialog]);
  return <ToastOutlet />;
}

/** Moves a toast from its place above the bottom bar to above what was pressed, and above a keyboard that covers it. */
function keepClear(outlet: HTMLElement, pressed: Element | null): void {
  outlet.style.translate = '';
  const { top, bottom } = outlet.getBoundingClientRect();
  const button = pressed?.closest('button, a')?.getBoundingClientRect();
  const seen = visualViewport ? visualViewport.offsetTop + visualViewport.height : innerHeight;
  const inTheWay = button && button.top < bottom && button.bottom > top ? button.top : bottom;
  const ceiling = Math.min(inTheWay, seen);
  // At the top it is read all the same.
  if (ceiling < bottom) outlet.style.translate = `0 ${Math.max(ceiling - bottom, 16 - top) - 8}px`;
}

/** Two regions that are always there, so that a screen reader speaks what comes into them; the toast stands in one. */
function ToastOutlet({ muted }: { muted?: boolean }) {
  const { shown, close, pressed } = useToasts();
  const outlet = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (shown && outlet.current) keepClear(outlet.current, pressed.current);
  }, [shown, pressed]);
  const card = shown && !muted && <ToastCard key={shown.at} toast={shown} onClose={close} />;
  return (
    <div ref={outlet} className="toasts">
      <div role="status" className="contents">
        {!shown?.destructive && card}
      </div>
      <div role="alert" className="contents">
        {shown?.destructive && card}
      </div>
    </div>
  );
}

/** Taps go through it to what it lies on, but for its cross: nothing has to wait until it is gone. */
function ToastCard({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const cross = useRef<HTMLButtonElement>(null);
  /** What had the focus before the cross. */
  const before = useRef<HTMLElement>(null);
  // A layout effect: it goes while the cross still stands, and so gives the focus back.
  useLayoutEffect(() => {
    const { current } = cross;
    return () => {
      if (document.activeElement === current) before.current?.focus();
    };
  }, []);
  return (
    <div
      className={join(
        'rise flex w-full max-w-md items-start gap-2 rounded-xl border-l-8 bg-ink py-2 pr-1 pl-4 text-white shadow-lg',
        toast.destructive ? 'border-l-[#f87171]' : 'border-l-[#4ade80]',
      )}
    >
      <div className="min-w-0 flex-1 py-1.5">
        <p className="font-semibold">{toast.title}</p>
        {toast.description && <p className="text-sm">{toast.description}</p>}
      </div>
      <button
        type="button"
        className="pointer-events-auto flex size-[min(2.75rem,12.5vw)] shrink-0 items-center justify-center rounded-lg outline-white"
        ref={cross}
        aria-label="Fermer le message"
        // Pressed, it takes no focus: a phone's keyboard stays open.
        onMouseDown={(event) => event.preventDefault()}
        onFocus={(event) => {
          before.current = event.relatedTarget as HTMLElement | null;
        }}
        onClick={onClose}
      >
        <CrossIcon className="size-5" />
      </button>
    </div>
  );
}

function useToasts(): Toasts {
  const toasts = use(ToastContext);
  if (!toasts) throw new Error('useToast must be used within a ToastProvider');
  return toasts;
}

/** Shows a toast for 5 seconds; only one is shown at a time. */
export function useToast(): (toast: Toast) => void {
  return useToasts().show;
}

/** Closes the toast of a failure, when something is tried anew. */
export function useCloseFailure(): () => void {
  return useToasts().closeFailure;
}
