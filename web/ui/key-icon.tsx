import { Drawing, type IconProps } from './drawing.tsx';

export function KeyIcon(props: IconProps) {
  return (
    <Drawing {...props}>
      <circle cx="8" cy="15" r="4.500" />
      <path d="M11.500 11.500L20 3m-3 3l3 3m-6 0l2 2" />
    </Drawing>
  );
}
