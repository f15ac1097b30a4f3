import { Drawing, type IconProps } from './drawing.tsx';

export function HomeIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M3 11l9-8 9 8M5 9.5V21h5v-6h4v6h5V9.5" />
    </Drawing>
  );
}

export function TicketIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M3 9V6h18v3a3 3 0 0 0 0 6v3H3v-3a3 3 0 0 0 0-6zM14 6v2m0 3v2m0 3v2" />
    </Drawing>
  );
}

export function BellIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M6 9a6 6 0 0 1 12 0c0 6 2 7 2 7H4s2-1 2-7zM10 20a2 2 0 0 0 4 0" />
    </Drawing>
  );
}

export function SettingsIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M4 7h9m5 0h2M4 17h2m5 0h9" />
      <circle cx="15.500" cy="7" r="2.500" />
      <circle cx="8.500" cy="17" r="2.500" />
    </Drawing>
  );
}

export function ForwardIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M5 12h14m-6-7l7 7-7 7" />
    </Drawing>
  );
}

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

export function LayersIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M12 3l9 5-9 5-9-5zM3 13l9 5 9-5" />
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

export function ChevronIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M9 5l7 7-7 7" />
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

export function SearchIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <circle cx="11" cy="11" r="7" />
      <path d="M20 20l-4-4" />
    </Drawing>
  );
}

export function OfflineIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M3 3l18 18M9 5.300A15 15 0 0 1 22 9.500M2 9.500A15 15 0 0 1 6 7M5 13a10 10 0 0 1 4-2.300M15 10.700a10 10 0 0 1 4 2.300M8.500 16.500a5 5 0 0 1 7 0M12 20h0" />
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

export function PageIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h5" />
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
