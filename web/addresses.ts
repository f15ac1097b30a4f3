/** Every address of the web app, written once. The screens of a person who came in, guests included: */
export const userAddresses = {
  home: '/',
  summary: '/summary',
  tickets: '/tickets',
  notifications: '/notifications',
  notification: '/notification/:id',
  settings: '/settings',
} as const;

/** The screens that a code by SMS leads through. */
export const codeAddresses = {
  otp: '/otp-verification',
  forgotPassword: '/forgot-password',
  forgotPasswordOtp: '/forgot-password-otp',
  resetPassword: '/reset-password',
} as const;

export const addresses = {
  ...userAddresses,
  ...codeAddresses,
  auth: '/auth',
  admin: '/admin',
  content: '/content/:slug',
} as const;

/** One pattern for a group of addresses, whose screens share a chunk: going from one to another keeps what they have read. */
export function matchAny(group: Record<string, string>): RegExp {
  const patterns = Object.values(group).map((address) => address.slice(1).replace(/:\w+/g, '[^/]+'));
  // The home page is the one without a word, and takes no second slash.
  return new RegExp(`^/(?:(?:${patterns.filter(Boolean).join('|')})/?)${patterns.includes('') ? '?' : ''}$`, 'i');
}

/** An address whose parameter is filled in. */
const fill = (address: string, value: string | number) => address.replace(/:\w+/, String(value));

export const notificationAddress = (id: number) => fill(addresses.notification, id);
export const isNotificationAddress = (path: string) => path.startsWith(fill(addresses.notification, ''));
export const ticketAnchor = (id: number) => `ticket-${id}`;
export const ticketAddress = (id: number) => `${addresses.tickets}#${ticketAnchor(id)}`;
export const termsAddress = fill(addresses.content, 'conditions-utilisation');
export const privacyAddress = fill(addresses.content, 'politique-confidentialite');

/** `/?dans=1,4` is what service 4, under service 1, contains; so the phone's back button goes up a level. */
export function levelAddress(ids: readonly number[]): string {
  return ids.length > 0 ? `${addresses.home}?dans=${ids.join(',')}` : addresses.home;
}

/** The services above the level that an address's query names, the root first; none for the top. */
export function readLevel(search: string): number[] {
  const ids = (new URLSearchParams(search).get('dans') ?? '').split(',');
  return ids.filter((id) => /^\d{1,10}$/.test(id)).map(Number);
}

/** A tab of the administrators' panel, which stands at `/` as well as at `/admin`; so that it survives a reload. */
export const adminTabAddress = (path: string, tab: string) => `${path}?onglet=${tab}`;
export const readAdminTab = (search: string) => new URLSearchParams(search).get('onglet');
