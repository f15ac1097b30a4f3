import {
  type ComponentProps,
  createContext,
  type ReactNode,
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
  /** Neither done nor failed. */
  neutral?: boolean;
  /** A button beside the words. */
  action?: { words: ReactNode; onPress: () => void };
  /** Milliseconds, if other than `toastMs`. */
  ms?: number;
}

interface Toasts {
  /** Each is another one, whenever it comes. */
  shown: (Toast & { turn: number }) | undefined;
  show: (toast: Toast) => void;
  close: () => void;
  /** Closes the toast if it shows a failure. */
  closeFailure: () => void;
  /** Keeps it in sight, since the focus or the pointer is on it. */
  hold: (isHeld: boolean) => void;
  /** The number of open dialogs: content outside of a dialog is inert. */
  dialogs: number;
  enterDialog: () => () => void;
}

/** The whole app has it. */
const ToastContext = createContext({} as Toasts);

/** The way back from what is not done yet goes with its own time, neither sooner nor later. */
const isUndo = ({ action, destructive }: Toast) => action !== undefined && !destructive;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Toasts['shown']>();
  const [isHeld, hold] = useState(false);
  const [dialogs, setDialogs] = useState(0);
  useEffect(() => {
    // Who types has read it. After the event: a field that is drawn between its listeners has its former value again.
    const onInput = (event: Event) =>
      'inputType' in event && setTimeout(() => setShown((toast) => (toast && isUndo(toast) ? toast : undefined)));
    addEventListener('input', onInput, true);
    return () => removeEventListener('input', onInput, true);
  }, []);
  useEffect(() => {
    if (!shown || (isHeld && !isUndo(shown))) return;
    const timer = setTimeout(() => setShown(undefined), shown.ms ?? toastMs);
    return () => clearTimeout(timer);
  }, [shown, isHeld]);
  const show = useCallback((toast: Toast) => setShown((before) => ({ ...toast, turn: (before?.turn ?? 0) + 1 })), []);
  const close = useCallback(() => setShown(undefined), []);
  const closeFailure = useCallback(() => setShown((toast) => (toast?.destructive ? undefined : toast)), []);
  const enterDialog = useCallback(() => {
    setDialogs((count) => count + 1);
    return () => setDialogs((count) => count - 1);
  }, []);
  const toasts = useMemo(
    () => ({ shown, show, close, closeFailure, hold, dialogs, enterDialog }),
    [shown, show, close, closeFailure, dialogs, enterDialog],
  );
  return (
    <ToastContext value={toasts}>
      {children}
      <ToastOutlet muted={dialogs > 0} />
    </ToastContext>
  );
}

/** Inside a dialog, the outlet for toasts while it is open. */
export function DialogToasts() {
  const { enterDialog } = use(ToastContext);
  useEffect(enterDialog, [enterDialog]);
  return <ToastOutlet />;
}

/** Two live regions that are always there, so that screen readers announce what comes into them. */
function ToastOutlet({ muted }: { muted?: boolean }) {
  const { shown, close, hold } = use(ToastContext);
  const outlet = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!shown) return;
    let end: (() => void) | undefined;
    let isGone = false;
    // Not on the way to the first screen.
    import('./toast-care.ts').then(
      ({ careForToast }) => {
        if (!isGone && outlet.current) end = careForToast(outlet.current, hold);
      },
      () => {},
    );
    return () => {
      isGone = true;
      end?.();
    };
  }, [shown, hold]);
  const card = shown && !muted && <ToastCard key={shown.turn} toast={shown} onClose={close} />;
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

/** Taps pass through it, except on its buttons: it blocks nothing. */
function ToastCard({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const card = useRef<HTMLDivElement>(null);
  /** The focused element before its buttons. */
  const before = useRef<HTMLElement>(null);
  // A layout effect: the buttons are still in the document, so that the focus is restored.
  useLayoutEffect(() => {
    const { current } = card;
    return () => {
      if (!current?.contains(document.activeElement)) return;
      const { current: place } = before;
      (place?.isConnected ? place : document.querySelector<HTMLElement>('h1'))?.focus({ preventScroll: true });
    };
  }, []);
  const button: ComponentProps<'button'> = {
    type: 'button',
    // A press does not take the focus: a phone's keyboard stays open.
    onMouseDown: (event) => event.preventDefault(),
    onFocus({ relatedTarget }) {
      if (!card.current?.contains(relatedTarget)) before.current = relatedTarget as HTMLElement | null;
    },
  };
  return (
    <div
      ref={card}
      className={join(
        'rise flex w-full max-w-md flex-wrap items-start gap-x-2 rounded-xl border-l-8 bg-raised py-1 pr-1 pl-3 text-white leading-snug shadow-lg sm:w-auto',
        toast.destructive ? 'border-l-[#f87171]' : toast.neutral ? 'border-l-edge' : 'border-l-[#4ade80]',
      )}
    >
      <div className="min-w-0 flex-1 basis-32 self-center py-1">
        <p className="font-semibold">{toast.title}</p>
        {toast.description && <p className="text-body">{toast.description}</p>}
      </div>
      {toast.action && (
        <button
          {...button}
          className="pointer-events-auto min-h-11 shrink-0 px-2 font-semibold underline underline-offset-4 outline-white"
          onClick={toast.action.onPress}
        >
          {toast.action.words}
        </button>
      )}
      <button
        {...button}
        className="pointer-events-auto flex size-[min(2.75rem,12.5vw)] shrink-0 items-center justify-center rounded-lg outline-white"
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
  return use(ToastContext).show;
}

/** Closes the toast that is shown, when a dialog with its own message opens. */
export function useCloseToast(): () => void {
  return use(ToastContext).close;
}

/** Closes a failure's toast when another try starts. */
export function useCloseFailure(): () => void {
  return use(ToastContext).closeFailure;
}
