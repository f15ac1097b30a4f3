import { Drawing, type IconProps } from '#web/ui/drawing.tsx';

export function ChevronIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M9 5l7 7-7 7" />
    </Drawing>
  );
}

export function PenIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M4 20l1-5L16 4l4 4L9 19zM13.500 6.500l4 4" />
    </Drawing>
  );
}

export function BinIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6m4-6v6" />
    </Drawing>
  );
}

export function NoteIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M4 4h16v11l-5 5H4zM20 15h-5v5M8 9h8m-8 4h4" />
    </Drawing>
  );
}

export function GripIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M9 6h.01M9 12h.01M9 18h.01M15 6h.01M15 12h.01M15 18h.01" strokeWidth="3" />
    </Drawing>
  );
}
