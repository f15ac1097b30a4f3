/** Every address of the web app, written once. Here the screens of signed-in people and guests. */
export const userAddresses = {
  home: '/',
  summary: '/summary',
  tickets: '/tickets',
  ticket: '/ticket/:id',
  notifications: '/notifications',
  notification: '/notification/:id?',
  settings: '/settings',
} as const;

/** The screens on the way through a code by SMS. */
export const codeAddresses = {
  otp: '/otp-verification',
  forgotPassword: '/forgot-password',
  forgotPasswordOtp: '/forgot-password-otp',
  resetPassword: '/reset-password',
} as const;

/** The tabs of the administrators' panel; the first is its landing page. */
export const adminAddresses = {
  dashboard: '/admin',
  services: '/admin/services',
  tickets: '/admin/tickets',
  users: '/admin/users',
  payments: '/admin/payments',
  content: '/admin/content',
  settings: '/admin/settings',
} as const;
export type AdminTab = keyof typeof adminAddresses;

export const addresses = {
  ...userAddresses,
  ...codeAddresses,
  auth: '/auth',
  admin: adminAddresses.dashboard,
  content: '/content/:slug',
  receipt: '/recu/:code',
} as const;

/** One pattern for a group of addresses that share a chunk: navigation within it keeps the chunk's state. */
export function matchAny(group: Record<string, string>): RegExp {
  const patterns = Object.values(group).map((address) =>
    address.slice(1).replace(/\/:\w+(\??)/, (_, optional) => (optional ? '(?:/[^/]+)?' : '/[^/]+')),
  );
  // The home page has no word, and allows no second slash.
  return new RegExp(`^/(?:(?:${patterns.filter(Boolean).join('|')})/?)${patterns.includes('') ? '?' : ''}$`, 'i');
}

/** The name of a path's address within a group. */
export function findAddress<Name extends string>(group: Record<Name, string>, path: string): Name | undefined {
  return (Object.keys(group) as Name[]).find((name) => matchAny({ [name]: group[name] }).test(path));
}

/** Fills in the parameter of an address; optional parameters end with a question mark. */
const fill = (address: string, value: string | number) => address.replace(/:\w+\??/, String(value));

export const notificationAddress = (id: number) => fill(addresses.notification, id);
export const ticketDetailAddress = (id: number) => fill(addresses.ticket, id);
export const contentAddress = (slug: string) => fill(addresses.content, slug);
export const receiptAddress = (code: string) => fill(addresses.receipt, code);
export const termsAddress = contentAddress('conditions-utilisation');
export const privacyAddress = contentAddress('politique-confidentialite');

/** `/?dans=1,4` is the content of service 4 below service 1: the phone's back button goes up a level. */
export function levelAddress(ids: readonly number[]): string {
  return ids.length > 0 ? `${addresses.home}?dans=${ids.join(',')}` : addresses.home;
}

/** The ids of the services above the level in an address's query, root first; empty at the top. */
export function readLevel(search: string): number[] {
  const ids = (new URLSearchParams(search).get('dans') ?? '').split(',');
  return ids.filter((id) => /^\d{1,10}$/.test(id)).map(Number);
}

/** `/?q=forfait` is home with search results; the text is kept as typed, with trailing spaces. */
export function searchAddress(typed: string): string {
  return typed ? `${addresses.home}?${new URLSearchParams({ q: typed })}` : addresses.home;
}

/** The searched text of an address's query. */
export function readSearched(search: string): string {
  return new URLSearchParams(search).get('q') ?? '';
}

/** The panel's counterpart of a visitor's screen, else its first tab. */
export function adminCounterpart(path: string): string {
  return path.toLowerCase().startsWith(userAddresses.tickets) ? adminAddresses.tickets : adminAddresses.dashboard;
}
