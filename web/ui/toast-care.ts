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

/** Keeps the toast of an outlet clear of controls, and tells whether the mouse or the focus is on it; returns what ends that. */
export function careForToast(outlet: HTMLElement, onHeld: (isHeld: boolean) => void): () => void {
  const cardOf = () => outlet.querySelector<HTMLElement>('.rise');
  const place = () => {
    const card = cardOf();
    if (card) keepClear(outlet, card);
  };
  const onPointer = ({ clientX: x, clientY: y, pointerType }: PointerEvent) => {
    const card = cardOf();
    if (!card || pointerType !== 'mouse') return;
    const box = card.getBoundingClientRect();
    const isOver = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    onHeld(isOver || card.contains(document.activeElement));
  };
  const onFocus = ({ type }: Event) => onHeld(type === 'focusin');
  outlet.addEventListener('focusin', onFocus);
  outlet.addEventListener('focusout', onFocus);
  place();
  // Another screen, or what was scrolled to, may lie below it.
  const observer = new MutationObserver(place);
  observer.observe(document.body, { childList: true, subtree: true });
  addEventListener('scrollend', place, true);
  addEventListener('pointermove', onPointer);
  return () => {
    onHeld(false);
    outlet.removeEventListener('focusin', onFocus);
    outlet.removeEventListener('focusout', onFocus);
    observer.disconnect();
    removeEventListener('scrollend', place, true);
    removeEventListener('pointermove', onPointer);
  };
}
