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

const controls = 'a[href], button, input, select, textarea, summary';
/** Pixels between a toast and a control. */
const gap = 4;

/** Moves a toast to the first place from the top, in what a keyboard leaves, where it covers no control; else it stays at the top. */
function keepClear(outlet: HTMLElement, card: HTMLElement): void {
  const all = [...(outlet.closest('dialog') ?? document).querySelectorAll(controls)]
    .filter((control) => !outlet.contains(control))
    .map((control) => control.getBoundingClientRect())
    .filter(({ width }) => width > 1)
    .sort((a, b) => a.top - b.top);
  const seen = visualViewport ?? { offsetTop: 0, height: innerHeight };
  /** The first free place from where the style sheet has it. */
  const free = () => {
    const { left, right } = card.getBoundingClientRect();
    const { top: usual, height } = outlet.getBoundingClientRect();
    const start = Math.max(usual, seen.offsetTop + gap);
    let top = start;
    for (const box of all)
      if (box.left < right && box.right > left && box.top < top + height + gap && box.bottom > top - gap)
        top = box.bottom + gap;
    return { by: top - usual, start: start - usual, isSeen: top + height <= seen.offsetTop + seen.height };
  };
  outlet.className = 'toasts';
  outlet.style.cssText = '';
  if (free().by !== 0) outlet.classList.add('at-top');
  const { by, start, isSeen } = free();
  outlet.style.cssText = `--clear: ${isSeen ? by : start}px`;
}

/** Two live regions that are always there, so that screen readers announce what comes into them. */
function ToastOutlet({ muted }: { muted?: boolean }) {
  const { shown, close, hold } = use(ToastContext);
  const outlet = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!shown) return;
    const place = () => {
      const card = outlet.current?.querySelector<HTMLElement>('.rise');
      if (outlet.current && card) keepClear(outlet.current, card);
    };
    place();
    // Another screen, or what was scrolled to, may lie below it.
    const observer = new MutationObserver(place);
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener('scrollend', place, true);
    return () => {
      observer.disconnect();
      removeEventListener('scrollend', place, true);
    };
  }, [shown]);
  const card = shown && !muted && <ToastCard key={shown.turn} toast={shown} onClose={close} onHeld={hold} />;
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
function ToastCard({
  toast,
  onClose,
  onHeld,
}: {
  toast: Toast;
  onClose: () => void;
  onHeld: (isHeld: boolean) => void;
}) {
  const card = useRef<HTMLDivElement>(null);
  /** The focused element before its buttons. */
  const before = useRef<HTMLElement>(null);
  // A layout effect: the buttons are still in the document, so that the focus is restored.
  useLayoutEffect(() => {
    const { current } = card;
    const onPointer = ({ clientX: x, clientY: y, pointerType }: PointerEvent) => {
      const box = current?.getBoundingClientRect();
      if (!box || pointerType !== 'mouse') return;
      const isOver = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
      onHeld(isOver || current?.contains(document.activeElement) === true);
    };
    addEventListener('pointermove', onPointer);
    return () => {
      removeEventListener('pointermove', onPointer);
      onHeld(false);
      if (!current?.contains(document.activeElement)) return;
      const { current: place } = before;
      (place?.isConnected ? place : document.querySelector<HTMLElement>('h1'))?.focus({ preventScroll: true });
    };
  }, [onHeld]);
  const button: ComponentProps<'button'> = {
    type: 'button',
    // A press does not take the focus: a phone's keyboard stays open.
    onMouseDown: (event) => event.preventDefault(),
    onFocus({ relatedTarget }) {
      onHeld(true);
      if (!card.current?.contains(relatedTarget)) before.current = relatedTarget as HTMLElement | null;
    },
    onBlur: () => onHeld(false),
  };
  return (
    <div
      ref={card}
      className={join(
        'rise flex w-full max-w-md items-start gap-2 rounded-xl border-l-8 bg-raised py-1 pr-1 pl-3 text-white leading-snug shadow-lg sm:w-auto',
        toast.destructive ? 'border-l-[#f87171]' : toast.neutral ? 'border-l-edge' : 'border-l-[#4ade80]',
      )}
    >
      <div className="min-w-0 flex-1 self-center py-1">
        <p className="font-semibold">{toast.title}</p>
        {toast.description && <p className="text-body leading-snug">{toast.description}</p>}
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
