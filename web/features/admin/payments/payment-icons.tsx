import { icon } from '#web/ui/drawing.tsx';

export const LinkIcon = icon('M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1');
export const UnlinkIcon = icon('M14 18l-1 1a4 4 0 0 1-6-6l2-2M10 6l1-1a4 4 0 0 1 6 6l-2 2M4 4l16 16');
export const BellIcon = icon('M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4');
