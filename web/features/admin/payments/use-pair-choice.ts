import { useRef, useState } from 'react';
import type { PaymentPair } from '#contract/payments.ts';

export interface PairRow {
  /** The payment's. */
  id: number;
  pair: PaymentPair;
  /** No longer proposed; it stays until nothing is ticked by hand. */
  isGone: boolean;
  isTicked: boolean;
}

/** Ticks by hand: the ticket that a payment was beside, and whether it was ticked. */
type Hand = ReadonlyMap<number, { ticketId: number; isTicked: boolean }>;

/**
 * The sure pairs and their ticks. Those that are proposed so begin ticked. From the first tick by hand on, no poll
 * changes one of these or moves a row: new pairs come below, and those that are gone keep their places.
 */
export function usePairChoice(pairs: readonly PaymentPair[]) {
  const [hand, setHand] = useState<Hand>(new Map());
  const shown = useRef<readonly PaymentPair[]>([]);
  const places = hand.size > 0 ? inPlaces(shown.current, pairs) : pairs;
  shown.current = places;
  const rows = toRows(places, pairs, hand);
  return {
    rows,
    chosen: rows.filter(({ isTicked }) => isTicked).map(({ pair }) => pair),
    tick: ({ id, pair }: PairRow, isTicked: boolean) =>
      setHand((before) => new Map(before).set(id, { ticketId: pair.ticket.id, isTicked })),
    clear: () => setHand(new Map()),
  };
}

/** The pairs as they are now: those shown before in their places, the others below. A payment has one row. */
export function inPlaces(shown: readonly PaymentPair[], now: readonly PaymentPair[]): PaymentPair[] {
  const byLine = new Map(now.map((pair) => [pair.line.id, pair]));
  const known = new Set(shown.map(({ line }) => line.id));
  return [...shown.map((pair) => byLine.get(pair.line.id) ?? pair), ...now.filter(({ line }) => !known.has(line.id))];
}

/** A payment that was ticked or unticked by hand beside another ticket is not ticked: nobody has seen this pair. */
export function toRows(places: readonly PaymentPair[], now: readonly PaymentPair[], hand: Hand): PairRow[] {
  const proposed = new Set(now.map(({ line }) => line.id));
  return places.map((pair) => {
    const id = pair.line.id;
    const isGone = !proposed.has(id);
    const ticked = hand.get(id);
    const isChosen = ticked ? ticked.ticketId === pair.ticket.id && ticked.isTicked : pair.preTicked;
    return { id, pair, isGone, isTicked: isChosen && !isGone };
  });
}
