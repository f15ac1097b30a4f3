import { makeDay, isRight, plain, dayAccounts, type DayLine, type DayTicket } from '#server/testing/payment-day.ts';
import { Dice } from '#server/testing/payment-sms.ts';
import { propose, type OpenLine, type OpenTicket } from './matching.ts';
const count = Number(process.argv[2] ?? 5000);
const seed = Number(process.argv[3] ?? 20261124);
const slots = 36;
const lag = 5 * 60_000;
const now = Date.UTC(2026, 10, 24, 20);
const day = makeDay(seed, count, now);
const dice = new Dice(seed + 1);
const userOf = new Map<string, number>();
const uid = (phone: string) => { if (!userOf.has(phone)) userOf.set(phone, userOf.size + 1); return userOf.get(phone)!; };
for (const t of day.tickets) uid(t.phone);
const wallets = ['Orange Money', 'Wave', 'MTN MoMo'];
const noon = now - 9 * 3600_000;
interface L { day?: DayLine; open: OpenLine; smsAt: number; settledAt: number; gap: boolean; named: boolean; forged: boolean; isWaveAcc: boolean; kind: string }
const lines: L[] = [];
for (const line of day.lines) {
  const acc = dayAccounts[line.account];
  const isW = acc.wallet === 'Wave';
  const lost = line.faults.has('SMS lost') || (isW && line.key % 2 === 0);
  const late = line.faults.has('statement first');
  const smsAt = lost ? Infinity : late ? now - 20_000 : line.at + 5000;
  const webAt = isW && line.key % 5 !== 0 ? line.at + 2000 : Infinity;
  const stAt = acc.hasStatement ? (line.at <= noon ? noon : now - 40_000) : Infinity;
  lines.push({
    day: line, smsAt, settledAt: Math.min(webAt, stAt), gap: dice.chance(0.066), named: line.isNamed, forged: false, isWaveAcc: isW, kind: line.account,
    open: { id: line.key, accountId: Object.keys(dayAccounts).indexOf(line.account), country: acc.shape.country, paymentTypeId: wallets.indexOf(acc.wallet), wallet: acc.wallet,
      gross: line.gross, balanceAfter: 1, plainReference: plain(line.reference) || null, ourReference: line.isNamed && line.ticket ? line.ticket.id : null,
      payer: line.payer, payerId: userOf.get(line.payer) ?? null, claimants: [] as (number|null)[], paidAt: new Date(line.at), isFresh: false, isSettled: false, isTrusted: true, isOdd: false },
  });
}
const ticketOf = (t: DayTicket, at: number): OpenTicket => {
  const d = t.declaredAt !== null && t.declaredAt <= at;
  return { id: t.id, total: t.total, plainReference: d ? plain(t.reference) || null : null, createdAt: new Date(t.filedAt), declaredAt: d ? new Date(t.declaredAt!) : null,
    userId: uid(t.phone), verified: t.phone, said: d ? t.payerPhone : null, paymentTypeId: wallets.indexOf(t.wallet), paymentTypeName: t.wallet };
};
const done = { l: new Set<number>(), t: new Set<number>() };
const sureRight = new Map<number, { ticked: boolean; foreign: boolean; rule: string; kind: string; doubt: string }>();
const wrong: string[] = [];
const matchOf = new Map<number, number>();
const byPayer = Map.groupBy(lines, (l) => `${l.open.payer} ${l.open.gross}`);
const first = Math.min(...day.tickets.map((t) => t.filedAt));
const byRef = Map.groupBy(day.tickets.filter((t) => t.reference), (t) => plain(t.reference));
const claim = (l: L, to: number): number[] => {
  if (l.open.payerId !== null) return [];
  const alike = (byPayer.get(`${l.open.payer} ${l.open.gross}`) ?? []).filter((o) => o !== l && Math.abs(+o.open.paidAt - +l.open.paidAt) < 864e5);
  const ts: DayTicket[] = [];
  for (const o of alike) { if (matchOf.has(o.open.id)) ts.push(day.tickets[matchOf.get(o.open.id)! - 1]!); ts.push(...(byRef.get(o.open.plainReference ?? '-') ?? []).filter((t) => t.declaredAt! <= to)); }
  ts.push(...(byRef.get(l.open.plainReference ?? '-') ?? []).filter((t) => t.declaredAt! <= to && done.t.has(t.id)));
  return ts.map((t) => uid(t.phone));
};
for (let slot = 1; slot <= slots; slot++) {
  const to = slot === slots ? now : first + (slot / slots) * (now - first);
  const told = slot === slots ? Infinity : to - lag;
  for (;;) {
    const ol = lines.filter((l) => !done.l.has(l.open.id) && Math.min(l.smsAt, l.settledAt) <= (slot === slots ? now : told))
      .map((l) => ({ ...l.open, isSettled: l.settledAt <= (slot === slots ? now : told), claimants: claim(l, to) }));
    const ot = day.tickets.filter((t) => t.filedAt <= to && !done.t.has(t.id)).map((t) => ticketOf(t, to));
    const by = { ref: Map.groupBy(ot, (t) => t.plainReference), ver: Map.groupBy(ot, (t) => t.verified), said: Map.groupBy(ot, (t) => t.said), tot: Map.groupBy(ot, (t) => t.total), id: Map.groupBy(ot, (t) => t.id) };
    const cand = new Map(ol.map((l) => [l.id, new Set([...(l.plainReference ? by.ref.get(l.plainReference) ?? [] : []), ...(by.ver.get(l.payer) ?? []), ...(by.said.get(l.payer) ?? []), ...(by.tot.get(l.gross) ?? []), ...(l.ourReference ? by.id.get(l.ourReference) ?? [] : [])].map((t) => t.id))]));
    const { sure, doubtful } = propose(ol, ot, undefined, cand);
    const lineOf = new Map(ol.map((l) => [l.id, l]));
    const info = new Map(lines.map((l) => [l.open.id, l]));
    let n = 0;
    const doubtsOk = doubtful.filter((d) => d.rule === 'R1' && d.doubts[0]?.startsWith('Une autre demande'));
    for (const p of [...sure, ...doubtsOk]) {
      const l = info.get(p.lineId)!;
      const t = day.tickets[p.ticketId - 1]!;
      const isSure = p.doubts.length === 0;
      const ticked = isSure && (lineOf.get(p.lineId)!.isSettled || (l.kind === 'mtn' && (p.rule === 'R0' || p.rule === 'R1') && !l.gap));
      const right = isRight(l.day, t);
      const foreign = p.evidence.some((e) => e.startsWith('Payé depuis un autre'));
      if (right || l.open.plainReference === null) sureRight.set(p.lineId, { ticked: ticked || sureRight.get(p.lineId)?.ticked === true, foreign, rule: p.rule, kind: l.kind, doubt: p.doubts[0] ?? '' });
      if (ticked) {
        if (!right) wrong.push(`${p.rule}${foreign ? 'x' : ''} line ${p.lineId} ticket ${p.ticketId} ${[...(l.day?.faults ?? []), '|', ...t.faults].join(',')}`);
        done.l.add(p.lineId); done.t.add(p.ticketId); matchOf.set(p.lineId, p.ticketId); n++;
      } else if (l.kind === 'mtn' && isSure && l.gap && (p.rule === 'R0' || p.rule === 'R1') && right) { done.l.add(p.lineId); done.t.add(p.ticketId); matchOf.set(p.lineId, p.ticketId); n++; }
    }
    if (process.env.HUMAN === '1' && n === 0)
      for (const p of doubtful) { const l = info.get(p.lineId)!; if (p.rule === 'R4' && !done.l.has(p.lineId) && !done.t.has(p.ticketId) && isRight(l.day, day.tickets[p.ticketId - 1]!) && l.day!.ticket!.id === p.ticketId && lineOf.get(p.lineId)!.isSettled) { done.l.add(p.lineId); done.t.add(p.ticketId); matchOf.set(p.lineId, p.ticketId); n++; } }
    if (n === 0) break;
  }
}
const all = [...sureRight.values()];
const share = (x: typeof all) => `${x.filter((e) => e.ticked).length}/${x.length} = ${(x.filter((e) => e.ticked).length / x.length).toFixed(3)}`;
console.log(process.env.VARIANT, 'human', process.env.HUMAN, 'wrong', wrong.length, 'of sure', share(all), 'foreign', share(all.filter((e) => e.foreign)), 'own', share(all.filter((e) => !e.foreign)));
for (const k of Object.keys(dayAccounts)) console.log(' ', k, share(all.filter((e) => e.kind === k)), 'R2', share(all.filter((e) => e.kind === k && e.rule.startsWith('R2'))));
console.log(wrong.slice(0, 8).join('\n'));
for (const w of wrong.slice(0, 5)) {
  const [, l, t] = /line (\d+) ticket (\d+)/.exec(w)!.map(Number);
  const line = day.lines.find((x) => x.key === l)!;
  const f = (x: number | null | undefined) => (x ? Math.round((x - first) / 60000) : x);
  const v = line.ticket;
  console.log(w, 'paid', f(line.at), 'thief filed', f(day.tickets[t! - 1]!.filedAt), 'V', v && [v.id, f(v.filedAt), f(v.declaredAt), v.reference, v.total, line.gross, [...v.faults].join()], 'lines of V', day.lines.filter((x) => x.ticket && x.ticket === v).map((x) => [x.key, f(x.at), x.gross, [...x.faults].join()]));
}
