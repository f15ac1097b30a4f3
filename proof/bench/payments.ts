import { parseArgs } from 'node:util';
import type { Rows } from './figures.ts';
import type { Stage } from './stage.ts';

/**
 * Payments that come in, each part by itself or all: `day` (a simulated day, `--tickets`), `lists` (the lists at `--lines` and
 * `--large` tickets of one amount; a `--folder` that is filled is used as it is), `import` (a statement of `--rows`), `sms` (from an SMS to its proposal), and `fuzz` (bodies
 * at the feed, `--fuzz`; a million are asked for).
 */
export async function measure(stage: Stage): Promise<Rows> {
  const { values, positionals } = parseArgs({
    args: stage.args,
    allowPositionals: true,
    options: {
      tickets: { type: 'string', default: '5000' },
      lines: { type: 'string', default: '100000' },
      large: { type: 'string', default: '1000000' },
      rows: { type: 'string', default: '100000' },
      folder: { type: 'string' },
      fuzz: { type: 'string', default: '20000' },
    },
  });
  const parts: Record<string, () => Promise<Rows>> = {
    day: async () => (await import('./payments-day.ts')).measureDay(stage, Number(values.tickets)),
    lists: async () =>
      (await import('./payments-lists.ts')).measureLists(stage, {
        lines: Number(values.lines),
        tickets: Number(values.large),
        folder: values.folder,
      }),
    import: async () => (await import('./payments-import.ts')).measureImport(stage, Number(values.rows)),
    sms: async () => (await import('./payments-sms.ts')).measureSms(stage),
    fuzz: async () => (await import('./payments-fuzz.ts')).measureFuzz(stage, Number(values.fuzz)),
  };
  const unknown = positionals.find((each) => !Object.hasOwn(parts, each));
  if (unknown) throw new Error(`payments has no part ${unknown}, but ${Object.keys(parts).join(', ')}`);
  const rows: Rows = {};
  for (const [name, part] of Object.entries(parts))
    if (positionals.length === 0 || positionals.includes(name)) Object.assign(rows, await part());
  return rows;
}
