import { addresses } from './addresses.ts';

/** `/?q=forfait` is home with what was found for it; kept as it was typed, spaces at its end included. */
export function searchAddress(typed: string): string {
  return typed ? `${addresses.home}?${new URLSearchParams({ q: typed })}` : addresses.home;
}

/** What is looked for, from an address's query. */
export function readSearched(search: string): string {
  return new URLSearchParams(search).get('q') ?? '';
}
