import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openOperators } from './open-operators.ts';
import { readMessage } from './read-message.ts';
import { splitMessages } from './split-messages.ts';

const operators = openOperators();
const context = { operators };
const texts = globSync('*/cases/*.txt', { cwd: import.meta.dirname }).map((file) => {
  const [text = ''] = readFileSync(path.join(import.meta.dirname, file), 'utf8').split('\n---\n');
  return { text, parser: readMessage(text, context).parser };
});
const known = texts.flatMap(({ text, parser }) => (parser ? [{ text, parser }] : []));
const parsersOf = (pasted: string) => splitMessages(pasted, context).map((each) => readMessage(each, context).parser);

test.each([
  ['blank lines', '\n\n', known],
  ['lines', '\n', known.filter(({ parser }) => !parser.startsWith('general/'))],
])('messages with %s between are told apart', (_, between, some) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...some), { minLength: 1, maxLength: 8 }), (pasted) => {
      const parsers = pasted.map(({ parser }) => parser);
      expect(parsersOf(pasted.map(({ text }) => text).join(between))).toEqual(parsers);
    }),
  );
});

const telecel =
  'Vous avez recu 5000.00 FCFA du 22678000031 - A le 02/03/2026 22:28:22. Trans ID : DC293XMGC3. Votre solde est de 62325.00 FCFA';

test('a message that cannot be read stays one, and hides no other', () => {
  const pasted = `Bonjour\nje vous ai payé 5 000 F\n\n${telecel}\n\nmerci`;
  expect(splitMessages(pasted, context)).toEqual(['Bonjour\nje vous ai payé 5 000 F', telecel, 'merci']);
});

test('two payments in one line are not told apart', () => {
  expect(parsersOf(`${telecel}. ${telecel}`)).toEqual([undefined]);
});

test('the first 200 messages are taken', () => {
  expect(splitMessages('a\n\n'.repeat(300), context)).toHaveLength(200);
  expect(splitMessages(' \n\n', context)).toEqual([]);
});
