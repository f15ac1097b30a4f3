import { icon } from './drawing.tsx';

export const BackIcon = icon('M19 12H5m6-7l-7 7 7 7');
export const CrossIcon = icon('M6 6l12 12M18 6L6 18');
export const EyeIcon = icon('M2 12s3.500-7 10-7 10 7 10 7-3.500 7-10 7-10-7-10-7z', [12, 12, 3]);
export const EyeOffIcon = icon(
  'M3 3l18 18M10 5.300A9 9 0 0 1 12 5c6.500 0 10 7 10 7a17 17 0 0 1-3 3.700M6.500 6.700A16 16 0 0 0 2 12s3.500 7 10 7a9 9 0 0 0 4.500-1.200M9.900 9.900a3 3 0 0 0 4.200 4.200',
);
export const WarningIcon = icon('M12 4l9 16H3zM12 10v4m0 3h0');
