import { icon } from './drawing.tsx';

// Icons that home does not use, kept out of its file.

export const CopyIcon = icon('M9 9h11v11H9zM5 15H4V4h11v1');
export const CheckIcon = icon('M4 12.500l5.500 5.500L20 7');
export const PhoneIcon = icon(
  'M5 3h4l2 5-2.500 1.500a12 12 0 0 0 6 6L16 13l5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 3 5a2 2 0 0 1 2-2z',
);
export const ChatIcon = icon('M4 20l1.500-4.500A8 8 0 1 1 9 19zM9 12h0m3 0h0m3 0h0');
export const MailIcon = icon('M3 6h18v12H3zM3.500 7l8.500 6 8.500-6');
export const LeaveIcon = icon('M10 4H5v16h5m4-4l4-4-4-4m4 4H9');
export const MenuIcon = icon('M4 6h16M4 12h16M4 18h16');
export const RepeatIcon = icon('M4.500 12a7.500 7.500 0 1 0 2.600-5.700L4 9M4 4v5h5');
export const ShareIcon = icon('M12 15V3m-4 4l4-4 4 4M6 11H4v10h16V11h-2');
export const PrinterIcon = icon('M7 8V3h10v5M7 17H3V8h18v9h-4M7 14h10v7H7z');
export const PersonIcon = icon('M4.500 21a7.500 7.500 0 0 1 15 0', [12, 8, 4]);
export const ShieldIcon = icon('M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4');
export const HelpIcon = icon('M9.500 9.500a2.500 2.500 0 1 1 3.500 2.300c-.700.300-1 .700-1 1.700m0 3h0', [12, 12, 9]);
export const InfoIcon = icon('M12 11v5m0-8.500h0', [12, 12, 9]);
export const InstallIcon = icon('M12 4v11m-4.500-4.500l4.500 4.500l4.500-4.500M5 20h14');
export const SunIcon = icon(
  'M12 2v2m0 16v2M2 12h2m16 0h2M4.900 4.900l1.400 1.400m11.400 11.400l1.400 1.400M4.900 19.100l1.400-1.400M17.700 6.300l1.400-1.400',
  [12, 12, 4],
);
