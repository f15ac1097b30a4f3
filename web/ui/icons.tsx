import { icon } from './drawing.tsx';

export const HomeIcon = icon('M3 11l9-8 9 8M5 9.5V21h5v-6h4v6h5V9.5');
export const TicketIcon = icon('M3 9V6h18v3a3 3 0 0 0 0 6v3H3v-3a3 3 0 0 0 0-6zM14 6v2m0 3v2m0 3v2');
export const BellIcon = icon('M6 9a6 6 0 0 1 12 0c0 6 2 7 2 7H4s2-1 2-7zM10 20a2 2 0 0 0 4 0');
export const SettingsIcon = icon('M4 7h9m5 0h2M4 17h2m5 0h9', [15.5, 7, 2.5], [8.5, 17, 2.5]);
export const ForwardIcon = icon('M5 12h14m-6-7l7 7-7 7');
export const LayersIcon = icon('M12 3l9 5-9 5-9-5zM3 13l9 5 9-5');
export const ChevronIcon = icon('M9 5l7 7-7 7');
export const SearchIcon = icon('M20 20l-4-4', [11, 11, 7]);
export const OfflineIcon = icon(
  'M3 3l18 18M9 5.300A15 15 0 0 1 22 9.500M2 9.500A15 15 0 0 1 6 7M5 13a10 10 0 0 1 4-2.300M15 10.700a10 10 0 0 1 4 2.300M8.500 16.500a5 5 0 0 1 7 0M12 20h0',
);
export const PageIcon = icon('M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h5');
