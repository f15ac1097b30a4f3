/** Whether a URL's host is the very machine that asks: where the product is tried out, and a relay needs no encryption. */
export const isThisMachine = (host: string): boolean => /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(host);
