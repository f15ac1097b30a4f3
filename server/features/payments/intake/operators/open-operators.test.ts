import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openOperators } from './open-operators.ts';

const text = 'Vous avez recu {montant} FCFA du {payeur},{nom}. ID: {reference}';
const message = { name: 'reçu', version: 1, kind: 'payment', text };
const file = { operator: 'Orange', country: '+226', senders: ['OrangeMoney'], messages: [message] };

const folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-operators-'));
mkdirSync(path.join(folder, 'orange-bf'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(content: unknown) {
  writeFileSync(
    path.join(folder, 'orange-bf/sms.json'),
    typeof content === 'string' ? content : JSON.stringify(content),
  );
  return openOperators(folder);
}

test('a folder with a file is an operator', () => {
  expect(open(file)).toMatchObject([{ operator: 'Orange', messages: [{ parser: 'orange-bf/reçu@1' }] }]);
});

test.each([
  ['orange-bf/sms.json : ', '{'],
  ['« country » ne convient pas', { ...file, country: '+33' }],
  ['« messages » ne convient pas', { ...file, messages: [] }],
  ['« expediteurs » ne convient pas', { ...file, expediteurs: [] }],
  ['« reçu » : ce nom et cette version y sont déjà', { ...file, messages: [message, message] }],
  ['« reçu » : un message ignoré dit pourquoi (why)', { ...file, messages: [{ ...message, kind: 'ignored' }] }],
  ['« reçu » : un paiement a un opérateur et un pays', { messages: [message] }],
  ['« reçu » : un paiement a un {montant}', withText('Vous avez recu de {payeur}')],
  ['« reçu » : un paiement a une {reference} ou un {payeur}', withText('Vous avez recu {montant} FCFA')],
  ["« reçu » : « {montnat} » n'existe pas", withText(`${text} {montnat}`)],
  ["« reçu » : « {reste} » ne se met qu'au début ou à la fin", withText(`${text} {reste} Solde`)],
  ['« reçu » : rien ne sépare « {nom} » de « {motif} »', withText(`${text} {nom} {motif}`)],
  ['« reçu » : il faut au moins 6 lettres hors des accolades', withText('{montant} F {payeur}')],
])('a fault is named: %s', (fault, content) => {
  expect(() => open(content)).toThrow('orange-bf/sms.json : ');
  expect(() => open(content)).toThrow(fault);
});

function withText(other: string) {
  return { ...file, messages: [{ ...message, text: other }] };
}
