/**
 * The push services of the browsers served, as origins; a star is one or more labels of a host. A browser names the address
 * that this server calls. Any other address would let a caller reach hosts of this server's network (SSRF).
 */
export const pushServices: readonly string[] = [
  // Chrome, Edge on Android, Opera, Samsung Internet, Brave.
  'https://fcm.googleapis.com',
  // Firefox.
  'https://*.push.services.mozilla.com',
  // Safari, and every browser of iOS.
  'https://*.push.apple.com',
  // Edge on Windows.
  'https://*.notify.windows.com',
];

/** Whether a subscription's address is one of these services: their scheme, host and port, and no credentials. */
export function isOfService(endpoint: string, services: readonly string[]): boolean {
  const url = URL.parse(endpoint);
  if (!url || url.username || url.password) return false;
  return services.some((service) => {
    const [start = '', end] = service.split('*');
    if (end === undefined) return url.origin === service;
    return url.origin.length > service.length - 1 && url.origin.startsWith(start) && url.origin.endsWith(end);
  });
}

/** The contact for push services (RFC 8292 §2.1): the site. Without https only this machine's browsers subscribe. */
export function pushSubject(publicUrl: string | undefined): string {
  const url = publicUrl ? new URL(publicUrl) : undefined;
  return url?.protocol === 'https:' ? url.origin : 'mailto:guichet@localhost';
}
