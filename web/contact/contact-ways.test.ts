import { expect, test } from 'vitest';
import { contactMessage, contactWays } from './contact-ways.tsx';

const withPlainSpaces = (text: string) => text.replace(/\s/g, ' ');
const subject = { ticketId: 12, service: 'Forfait internet 7 jours', total: 1_050 };
const all = { whatsapp: '+22670123456', phone: '+33612345678', email: "l'aide+1@exemple.bf" };

test.each([
  [{}, 'Bonjour, je vous écris au sujet de Guichet.'],
  [{ ...subject, total: 0 }, 'Bonjour, je vous écris au sujet du ticket n° 12 : Forfait internet 7 jours.'],
  [subject, 'Bonjour, je vous écris au sujet du ticket n° 12 : Forfait internet 7 jours, 1 050 FCFA.'],
])('about %j the message is %j', (about, message) => {
  expect(withPlainSpaces(contactMessage(about))).toBe(message);
});

test('each way that is given leads to the operator, with the message where one can be written', () => {
  const ways = contactWays(all, subject);
  expect(ways.map(({ label, value }) => [label, value])).toEqual([
    ['WhatsApp', '+226 70 12 34 56'],
    ['Appeler', '+33612345678'],
    ['E-mail', all.email],
  ]);
  const [whatsapp, phone, email] = ways.map(({ href }) => new URL(href));
  expect(whatsapp?.origin).toBe('https://wa.me');
  expect(whatsapp?.pathname).toBe('/22670123456');
  expect([...(whatsapp?.searchParams ?? [])]).toEqual([['text', contactMessage(subject)]]);
  expect(phone?.href).toBe('tel:+33612345678');
  expect(email?.pathname).toBe(all.email);
  expect([...(email?.searchParams ?? [])].map(([name, text]) => [name, withPlainSpaces(text)])).toEqual([
    ['subject', 'Ticket n° 12'],
    ['body', withPlainSpaces(contactMessage(subject))],
  ]);
});

test('a service whose name has marks of an address changes no address', () => {
  const odd = { ...subject, service: 'Gaz & eau? #1 + 100 % "x"' };
  for (const { href } of contactWays({ ...all, phone: null }, odd)) {
    const { searchParams, hash } = new URL(href);
    expect(hash).toBe('');
    expect(searchParams.get('text') ?? searchParams.get('body')).toBe(contactMessage(odd));
  }
});

test('what is not given is no way', () => {
  expect(contactWays({ whatsapp: null, phone: null, email: null }, subject)).toEqual([]);
  expect(contactWays({ ...all, whatsapp: null, phone: null }, {}).map(({ kind }) => kind)).toEqual(['email']);
});
