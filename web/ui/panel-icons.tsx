import { icon } from './drawing.tsx';

export const ChartIcon = icon('M4 20V10m5.300 10V4m5.400 16v-7M20 20V8');
export const PeopleIcon = icon(
  'M2.500 20a6.500 6.500 0 0 1 13 0M16 4.800a3.500 3.500 0 0 1 0 6.400M18 14.500a6.500 6.500 0 0 1 3.500 5.500',
  [9, 8, 3.5],
);
export const CardIcon = icon('M3 6h18v12H3zM3 10h18M7 14.500h4');
export const PageIcon = icon('M6 3h8l4 4v14H6zM14 3v4h4M9 12h6m-6 4h6');
export const FoldIcon = icon('M18 6l-6 6 6 6M11 6l-6 6 6 6');
