import { Drawing, type IconProps } from './drawing.tsx';

// Icons that home does not use, kept out of its file.

export function CopyIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M9 9h11v11H9zM5 15H4V4h11v1" />
    </Drawing>
  );
}

export function CheckIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M4 12.500l5.500 5.500L20 7" />
    </Drawing>
  );
}

export function PhoneIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M5 3h4l2 5-2.500 1.500a12 12 0 0 0 6 6L16 13l5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 3 5a2 2 0 0 1 2-2z" />
    </Drawing>
  );
}

export function LeaveIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M10 4H5v16h5m4-4l4-4-4-4m4 4H9" />
    </Drawing>
  );
}

export function MenuIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M4 6h16M4 12h16M4 18h16" />
    </Drawing>
  );
}

export function RepeatIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M4.500 12a7.500 7.500 0 1 0 2.600-5.700L4 9M4 4v5h5" />
    </Drawing>
  );
}

export function ShareIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M12 15V3m-4 4l4-4 4 4M6 11H4v10h16V11h-2" />
    </Drawing>
  );
}

export function PrinterIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M7 8V3h10v5M7 17H3V8h18v9h-4M7 14h10v7H7z" />
    </Drawing>
  );
}

export function PersonIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <circle cx="12" cy="8" r="4" />
      <path d="M4.500 21a7.500 7.500 0 0 1 15 0" />
    </Drawing>
  );
}

export function ShieldIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4" />
    </Drawing>
  );
}

export function HelpIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <circle cx="12" cy="12" r="9" />
      <path d="M9.500 9.500a2.500 2.500 0 1 1 3.500 2.300c-.700.300-1 .700-1 1.700m0 3h0" />
    </Drawing>
  );
}

export function InfoIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 11v5m0-8.500h0" />
    </Drawing>
  );
}

export function InstallIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M12 4v11m-4.500-4.500l4.500 4.500l4.500-4.500M5 20h14" />
    </Drawing>
  );
}
