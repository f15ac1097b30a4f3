import { Drawing, type IconProps } from './drawing.tsx';

export function BackIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M19 12H5m6-7l-7 7 7 7" />
    </Drawing>
  );
}

export function CrossIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M6 6l12 12M18 6L6 18" />
    </Drawing>
  );
}

export function EyeIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M2 12s3.500-7 10-7 10 7 10 7-3.500 7-10 7-10-7-10-7z" />
      <circle cx="12" cy="12" r="3" />
    </Drawing>
  );
}

export function EyeOffIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M3 3l18 18M10 5.300A9 9 0 0 1 12 5c6.500 0 10 7 10 7a17 17 0 0 1-3 3.700M6.500 6.700A16 16 0 0 0 2 12s3.500 7 10 7a9 9 0 0 0 4.500-1.200M9.900 9.900a3 3 0 0 0 4.200 4.200" />
    </Drawing>
  );
}

export function WarningIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <path d="M12 4l9 16H3zM12 10v4m0 3h0" />
    </Drawing>
  );
}
