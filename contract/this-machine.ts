/** Whether a URL's host is this machine. A trial runs there, and a relay there needs no encryption. */
export const isThisMachine = (host: string): boolean => /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(host);
