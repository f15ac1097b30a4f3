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
