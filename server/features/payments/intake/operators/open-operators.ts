import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { paymentDirections } from '#contract/payments.ts';
import { countryCodes } from '#contract/phone.ts';
import { compilePattern, fold, type Pattern, variantsOf } from './patterns.ts';

const words = z.string().check(z.minLength(1));
const message = z.strictObject({
  name: words,
  version: z.int().check(z.gte(1)),
  kind: z.enum(['payment', 'ignored']),
  why: z.optional(words),
  direction: z.optional(z.enum(paymentDirections)),
  source: z.optional(words),
  text: words,
});
const smsFile = z.strictObject({
  operator: z.optional(words),
  country: z.optional(z.enum(countryCodes)),
  senders: z._default(z.array(words), []),
  decimal: z.optional(z.enum(['.', ','])),
  messages: z.array(message).check(z.minLength(1)),
});
type SmsFile = z.output<typeof smsFile>;

export type Message = z.output<typeof message> & {
  parser: string;
  pattern: Pattern;
  /** The id of a taught shape. */
  shapeId?: number;
};
/**
 * The SMS of one operator in one country. Without operator and country: messages from any sender, which are no payments. A template with
 * optional parts is listed once per variant.
 */
export type Operator = Omit<SmsFile, 'messages'> & { messages: readonly Message[] };

/** Reads the file of this name of every `<operator>-<country>`. Throws a French sentence that names the file and its fault. */
export function readOperatorFiles<Made>(
  name: string,
  make: (operator: string, given: unknown) => Made,
  folder: string = import.meta.dirname,
): Made[] {
  const files = globSync(`*/${name}`, { cwd: folder }).toSorted();
  return files.map((file) => {
    try {
      return make(path.dirname(file), JSON.parse(readFileSync(path.join(folder, file), 'utf8')));
    } catch (error) {
      throw new Error(`${file} : ${(error as Error).message}`, { cause: error });
    }
  });
}

/** The built-in SMS patterns, from their files. Throws as `readOperatorFiles`. */
export const openOperators = (folder?: string): readonly Operator[] =>
  readOperatorFiles('sms.json', compileFile, folder);

function compileFile(name: string, given: unknown): Operator {
  const { data, error } = smsFile.safeParse(given);
  if (!data) throw new Error(`« ${error.issues.map(placeOf).join(' », « ')} » ne convient pas`);
  const messages = data.messages.map((each) => ({ ...each, parser: `${name}/${each.name}@${each.version}` }));
  const parsers = new Set<string>();
  return {
    ...data,
    messages: messages.flatMap((each) => {
      try {
        const fault = parsers.has(each.parser) ? 'ce nom et cette version y sont déjà' : faultOf(each, data);
        if (fault) throw new Error(fault);
        parsers.add(each.parser);
        return variantsOf(each.text).map((text) => ({ ...each, text, pattern: compilePattern(text) }));
      } catch (cause) {
        throw new Error(`« ${each.name} » : ${(cause as Error).message}`, { cause });
      }
    }),
  };
}

function placeOf(issue: z.core.$ZodIssue): string {
  return [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys : [])].join('.');
}

function faultOf({ kind, text, why }: z.output<typeof message>, { operator, country }: SmsFile): string | undefined {
  if (kind === 'ignored') return why ? undefined : 'un message ignoré dit pourquoi (why)';
  if (!operator || !country) return 'un paiement a un opérateur et un pays (operator, country)';
  const template = fold(text);
  if (!template.includes('{montant}')) return 'un paiement a un {montant}';
  if (!/\{(?:reference|payeur)\}/.test(template)) return 'un paiement a une {reference} ou un {payeur}';
  return template.startsWith('{reste}') ? 'un paiement ne commence pas par {reste}' : undefined;
}
