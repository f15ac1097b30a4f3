import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ESTree, parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { ApiError, hasCode, NoAnswer } from '#web/api/client.ts';
import { failureSentence, frenchMessage } from './failures.ts';

/**
 * A text is French if it has an accent, an elision or one of these words; else it counts as English. So a new English
 * sentence is never taken for French; a French one may need another word here.
 */
const isFrench = (text: string) =>
  /[àâçèéêîôùû]|\b[dln]['’]|\b(?:au|ce|de|deux|est|et|incorrects|interne|introuvable|invalide|la|le|les|requis|sont|un|une|veuillez|vous)\b/i.test(
    text,
  );

const isNode = (value: unknown): value is ESTree.Node => typeof value === 'object' && value !== null && 'type' in value;

/**
 * The sentences in a source file that the API could show. They are texts with a capital and a second lower-case word,
 * and capitalised texts given to zod, except those of the OpenAPI document alone.
 */
function sentencesOf(file: string): string[] {
  const sentences: string[] = [];
  const visit = (node: unknown, parent?: ESTree.Node): void => {
    if (Array.isArray(node)) for (const each of node) visit(each, parent);
    if (!isNode(node)) return;
    if (node.type === 'Property' && node.key.type === 'Identifier' && /^(?:summary|description)$/.test(node.key.name))
      return;
    const text = node.type === 'Literal' ? node.value : node.type === 'TemplateElement' ? node.value.cooked : undefined;
    const callee =
      parent?.type === 'CallExpression' && parent.callee.type === 'MemberExpression' && parent.callee.object;
    const toZod = callee && callee.type === 'Identifier' && callee.name === 'z';
    if (typeof text === 'string' && (toZod ? /^\p{Lu}/u : /^\p{Lu}.*\s\p{Ll}/su).test(text)) sentences.push(text);
    for (const each of Object.values(node)) visit(each, node);
  };
  visit(parseSync(file, readFileSync(file, 'utf8')).program);
  return sentences;
}

describe('every English sentence of the contract has its French', () => {
  const folder = path.join(import.meta.dirname, '../../contract');
  // The names of audited fields and of a file's columns are French, however short.
  const files = readdirSync(folder).filter(
    (file) => /(?<!\.test)\.ts$/.test(file) && !['audit-words.ts', 'catalogue-columns.ts'].includes(file),
  );
  const found = files.flatMap((file) => sentencesOf(path.join(folder, file)));
  const english = [...new Set(found)].filter((sentence) => !isFrench(sentence));

  test('and they are found', () => {
    expect(english).toContain('Password must be at least 6 characters');
    expect(found).toContain('Veuillez saisir le numéro du bénéficiaire.');
    expect(found).not.toContain('Verifies a sign-up code and opens a session.');
  });

  test.each(english)('%s', (sentence) => {
    expect(frenchMessage(sentence), `web/text/failures.ts lacks "${sentence}"`).toSatisfy(isFrench);
  });

  test('and no sentence is put into French that the contract does not have', () => {
    const written = sentencesOf(path.join(import.meta.dirname, 'failures.ts'));
    expect(written.filter((sentence) => !isFrench(sentence)).sort()).toEqual(english.sort());
  });
});

const refusal = (body: object | string, status = 400) =>
  new ApiError(status, typeof body === 'string' ? body : JSON.stringify(body), 'Bad Gateway');
const fallback = 'Impossible de renvoyer le code.';

describe('what a person is told of a failed call', () => {
  const tooMany = { code: 'TOO_MANY', message: 'Trop de tentatives. Réessayez plus tard.' };

  test.each<[what: string, error: unknown, sentence: string]>([
    ['no answer', new NoAnswer('x'), 'Pas de réponse du réseau. Vérifiez votre connexion et réessayez.'],
    ["the server's sentence", refusal({ code: 'PHONE_TAKEN', message: 'Déjà utilisé.' }), 'Déjà utilisé.'],
    ['an English one', refusal({ message: "Passwords don't match" }), 'Les mots de passe ne correspondent pas.'],
    ['a wait in seconds', refusal({ ...tooMany, retryAfter: 45 }), 'Trop de tentatives. Réessayez dans 45 secondes.'],
    ['a wait in minutes', refusal({ ...tooMany, retryAfter: 601 }), 'Trop de tentatives. Réessayez dans 11 minutes.'],
    ['a wait that is not told', refusal(tooMany), tooMany.message],
    [
      'a wait that the server has spelled',
      refusal({ ...tooMany, message: 'Réessayez dans 2 minutes.', retryAfter: 90 }),
      'Réessayez dans 2 minutes.',
    ],
    ['a wait for another reason', refusal({ code: 'BUSY', message: 'Occupé.', retryAfter: 45 }), 'Occupé.'],
    ['a refusal without a sentence', refusal({ code: 'INTERNAL' }), fallback],
    ['a fault of the server', refusal({ code: 'INTERNAL', message: 'Erreur interne', requestId: 'a1b2c3' }), fallback],
    ["a proxy's page", refusal('<html>502 Bad Gateway</html>', 502), fallback],
    ['an error of our own', new TypeError('x is not a function'), fallback],
  ])('%s', (_, error, sentence) => {
    expect(failureSentence(error, fallback)).toBe(sentence);
  });
});

test.each(['null', '"non"', '12', '{"message":{"fr":"non"}}', '<html>', ''])(
  "an answer that is not the API's (%s) is told by the screen's own sentence",
  (body) => {
    expect(failureSentence(new ApiError(502, body, 'Bad Gateway'), 'La demande a échoué.')).toBe(
      'La demande a échoué.',
    );
  },
);

test('a failure has the code that the server gave it, and no other', () => {
  expect(hasCode(refusal({ code: 'CODE_INVALID' }), 'CODE_INVALID')).toBe(true);
  for (const error of [
    refusal({ code: 'TOO_MANY' }),
    refusal('CODE_INVALID'),
    new NoAnswer('CODE_INVALID'),
    { failure: { code: 'CODE_INVALID' } },
    undefined,
  ])
    expect(hasCode(error, 'CODE_INVALID')).toBe(false);
});
