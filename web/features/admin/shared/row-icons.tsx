import { icon } from '#web/ui/drawing.tsx';

export const EditIcon = icon('M4 20l1-4L16 5l3 3L8 19zM14 7l3 3');
export const MoveIcon = icon('M8 4v16m-4-4l4 4 4-4M16 20V4m-4 4l4-4 4 4');
export const BinIcon = icon('M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5m4-5v5');
export const CodeIcon = icon('M9 3L6 21M18 3l-3 18M4 9h17M3 15h17');
