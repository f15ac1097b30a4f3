/** Every address of the web app, written once. The screens of a person who came in, guests included: */
export const userAddresses = {
  home: '/',
  summary: '/summary',
  tickets: '/tickets',
  ticket: '/ticket/:id',
  notifications: '/notifications',
  notification: '/notification/:id?',
  settings: '/settings',
} as const;

/** The screens that a code by SMS leads through. */
export const codeAddresses = {
  otp: '/otp-verification',
  forgotPassword: '/forgot-password',
  forgotPasswordOtp: '/forgot-password-otp',
  resetPassword: '/reset-password',
} as const;

/** The tabs of the administrators' panel; the first is what they land on. */
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
} as const;

/** One pattern for a group of addresses, whose screens share a chunk: going from one to another keeps what they have read. */
export function matchAny(group: Record<string, string>): RegExp {
  const patterns = Object.values(group).map((address) =>
    address.slice(1).replace(/\/:\w+(\??)/, (_, optional) => (optional ? '(?:/[^/]+)?' : '/[^/]+')),
  );
  // The home page is the one without a word, and takes no second slash.
  return new RegExp(`^/(?:(?:${patterns.filter(Boolean).join('|')})/?)${patterns.includes('') ? '?' : ''}$`, 'i');
}

/** Which of a group's addresses a path is. */
export function findAddress<Name extends string>(group: Record<Name, string>, path: string): Name | undefined {
  return (Object.keys(group) as Name[]).find((name) => matchAny({ [name]: group[name] }).test(path));
}

/** An address whose parameter is filled in; one that may be absent has a question mark. */
const fill = (address: string, value: string | number) => address.replace(/:\w+\??/, String(value));

export const notificationAddress = (id: number) => fill(addresses.notification, id);
export const isNotificationAddress = (path: string) => path.startsWith(fill(addresses.notification, ''));
export const ticketAnchor = (id: number) => `ticket-${id}`;
/** Where a ticket stands among the others. */
export const ticketAddress = (id: number) => `${addresses.tickets}#${ticketAnchor(id)}`;
export const ticketDetailAddress = (id: number) => fill(addresses.ticket, id);
export const contentAddress = (slug: string) => fill(addresses.content, slug);
export const termsAddress = contentAddress('conditions-utilisation');
export const privacyAddress = contentAddress('politique-confidentialite');

/** `/?dans=1,4` is what service 4, under service 1, contains; so the phone's back button goes up a level. */
export function levelAddress(ids: readonly number[]): string {
  return ids.length > 0 ? `${addresses.home}?dans=${ids.join(',')}` : addresses.home;
}

/** The services above the level that an address's query names, the root first; none for the top. */
export function readLevel(search: string): number[] {
  const ids = (new URLSearchParams(search).get('dans') ?? '').split(',');
  return ids.filter((id) => /^\d{1,10}$/.test(id)).map(Number);
}

/** The tab of the administrators' panel that stands at an address. */
export function readAdminTab(path: string): AdminTab | undefined {
  const bare = path.toLowerCase().replace(/\/$/, '');
  const found = Object.entries(adminAddresses).find(([, address]) => address === bare);
  return found?.[0] as AdminTab | undefined;
}

/** Where an administrator who comes to a visitor's screen is led: to the panel's tab of the same things, or to its first. */
export function adminCounterpart(path: string): string {
  return path.toLowerCase().startsWith(userAddresses.tickets) ? adminAddresses.tickets : adminAddresses.dashboard;
}
