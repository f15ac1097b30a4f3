import * as z from 'zod/mini';
import { type CountryCode, countryCodes } from '#contract/phone.ts';
import { findWallet } from '#contract/wallets.ts';
import { readOperatorFiles } from '#server/features/payments/intake/operators/open-operators.ts';
import { headOf, plainName } from './cell-values.ts';

const text = z.string().check(z.minLength(1, 'texte vide'));
const listOf = (compared: (text: string) => string) =>
  z.pipe(
    z.union([text, z.array(text)]),
    z.transform((list) => [list].flat().map((each) => compared(each))),
  );
/** Titles of columns and words, in their form for comparisons. */
const names = listOf(headOf);
const words = z.prefault(listOf(plainName), []);

const columns = z.strictObject({
  paidAt: names,
  reference: names,
  /** For a reversal: the reference of the reversed payment. */
  takenBack: z.optional(names),
  ourReference: z.optional(names),
  amount: z.optional(names),
  credit: z.optional(names),
  debit: z.optional(names),
  fee: z.optional(names),
  balanceAfter: z.optional(names),
  payer: z.optional(names),
  status: z.optional(names),
  type: z.optional(names),
});

const model = z.strictObject({
  name: text,
  version: z.int(),
  source: z.optional(text),
  /** Columns by their titles. The header must have all of them except our reference. Texts of several columns are joined. */
  columns: columns.check(z.refine(({ amount, credit, debit }) => amount || (credit && debit), 'aucun montant')),
  /** Whether the amount is what the account got, after the fee. */
  isNetOfFee: z._default(z.boolean(), false),
  /** Which of several columns with one title has the payer, from 1; and the text before the number there. */
  payerIsNth: z._default(z.int(), 1),
  payerFollows: z.optional(text),
  /** Complete status texts. A row with another status is a fault; a pending one is left out. */
  statuses: z.optional(z.strictObject({ settled: words, failed: words, reversed: words, pending: words })),
  /** Words in the type column that overrule the sign of the amount. */
  types: z.prefault(z.strictObject({ reversal: words, fee: words, out: words }), {}),
  /** A regular expression for references. A row without one is a total or a header. */
  referenceForm: z.optional(z.string()),
});

const statementFile = z.strictObject({
  operator: text,
  country: z.enum(countryCodes),
  models: z.array(model),
});

export type Meaning = keyof z.output<typeof columns>;

/** How one kind of statement of an operator in a country is read. It is plain data, so that a thread can receive it. */
export interface StatementModel extends Omit<z.output<typeof model>, 'name' | 'version'> {
  /** `<folder>/<name>@<version>`. */
  parser: string;
  operator: string;
  country: CountryCode;
}

/** The models of statements, from their files. Throws as `readOperatorFiles`. */
export const readStatementModels = (folder?: string): StatementModel[] =>
  readOperatorFiles('statement.json', modelsOf, folder).flat();

/** The name of the wallet of an operator's models. */
export const walletOf = (operator: string): string => findWallet(operator)?.name ?? operator;

/**
 * The models that may read an account's file, those of its country first; and those of other wallets. If the account's wallet is unknown,
 * any model may read it.
 */
export function modelsFor(
  models: readonly StatementModel[],
  account: { country: CountryCode; wallet: string | undefined },
) {
  const { country, wallet } = account;
  const isOwn = ({ operator }: StatementModel) => wallet === undefined || walletOf(operator) === wallet;
  const isAbroad = (each: StatementModel) => Number(each.country !== country);
  return {
    models: models.filter(isOwn).toSorted((one, other) => isAbroad(one) - isAbroad(other)),
    others: models.filter((each) => !isOwn(each)),
  };
}

function modelsOf(name: string, given: unknown): StatementModel[] {
  const { models, ...rest } = statementFile.parse(given);
  return models.map((each) => ({ ...each, ...rest, parser: `${name}/${each.name}@${each.version}` }));
}
