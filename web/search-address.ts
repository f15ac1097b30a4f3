import { addresses } from './addresses.ts';

/** `/?q=forfait` is home with search results; the text is kept as typed, with trailing spaces. */
export function searchAddress(typed: string): string {
  return typed ? `${addresses.home}?${new URLSearchParams({ q: typed })}` : addresses.home;
}

/** The searched text of an address's query. */
export function readSearched(search: string): string {
  return new URLSearchParams(search).get('q') ?? '';
}
