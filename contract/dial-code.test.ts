import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dialTemplateProblem, fillDialTemplate, isSafeToDial, planDialCode } from './dial-code.ts';
import { dialHref, paysNobody } from './dialling.ts';
import { maximumAmount } from './money.ts';
import { countries } from './phone.ts';

const values = { total: 1500, beneficiary: '70123456', serviceId: 42 };

/** What a phone dials: a USSD code, or a number of 3 to 15 digits (ITU E.164). */
const dialable = /^(?:[*#][0-9*#]*[0-9][0-9*#]*#|\+?[0-9]{3,15})$/;

/** The services of 3GPP TS 22.030, annex B, with the password and the PINs of 6.5.4 and 6.6. */
const networkServices =
  '21 67 61 62 002 004 43 30 31 76 77 300 33 331 332 35 351 330 333 353 361 362 363 360 371 372 373 374 375 ' +
  '66 75 750 751 752 753 754 214 591 592 593 594 88 96 03 04 042 05 052';
/** Of the wallets that public sources name in the seven countries. */
const walletCodes = '144 555 808 133 155 166 400 880 855 889 145 150'.split(' ');

describe('filling a template', () => {
  test.each([
    ['*144*10*05690560*XX#', '*144*10*05690560*1500#'],
    ['*144*2*1*{beneficiaire}*{montant}#', '*144*2*1*70123456*1500#'],
    ['*400*{service}*XX#', '*400*42*1500#'],
    ['#144#8*646116*{montant}#', '#144#8*646116*1500#'],
    ['+226 70 12 34 56', '+22670123456'],
    ['*144*10 *XX #', '*144*10*1500#'],
  ])('%j gives %j', (template, expected) => {
    expect(fillDialTemplate(template, values)).toBe(expected);
    expect(dialTemplateProblem(template)).toBeUndefined();
  });

  const digit = fc.integer({ min: 0, max: 9 }).map(String);
  const placeholder = fc.constantFrom('XX', '{montant}', '{beneficiaire}', '{service}', '{marchand}');
  const piece = fc.oneof(digit, fc.constantFrom('*', '#', '*', ' '), placeholder);
  const noise = fc.constantFrom('X', '{', '}', '+', '-', 'a', '{autre}', '\u202F', '*', '#', '12');
  const template = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => `*${pieces.join('')}#`),
    fc.array(piece, { maxLength: 12 }).map((pieces) => `*144*${pieces.join('')}#`),
    fc.array(fc.oneof(digit, placeholder), { maxLength: 5 }).map((pieces) => pieces.join('')),
    fc.array(digit, { maxLength: 16 }).map((pieces) => `+${pieces.join('')}`),
    fc.array(fc.oneof(piece, noise), { maxLength: 8 }).map((pieces) => pieces.join('')),
  );
  const anyValues = fc.record({
    total: fc.integer({ min: 1, max: 2 * maximumAmount }),
    beneficiary: fc.constantFrom(...countries.map((country) => country.example)),
    serviceId: fc.integer({ min: 1, max: 2_147_483_647 }),
    merchant: fc.option(fc.stringMatching(/^\d{4,12}$/), { nil: undefined }),
  });

  test('whatever template is accepted, every placeholder is filled and a phone can dial the result', () => {
    let accepted = 0;
    fc.assert(
      fc.property(template, anyValues, (given, filling) => {
        if (dialTemplateProblem(given) !== undefined) return;
        accepted += 1;
        const code = fillDialTemplate(given, filling);
        expect(code).not.toMatch(/[{}Xx\s]/);
        expect(code, `${given} filled with ${JSON.stringify(filling)}`).toMatch(dialable);
        expect(isSafeToDial(code), `${given} filled with ${JSON.stringify(filling)}`).toBe(true);
        expect(code).not.toMatch(/#[*#]/);
      }),
      { numRuns: 2_000 },
    );
    expect(accepted).toBeGreaterThan(200);
  });
});

describe('refusing a template', () => {
  test.each([
    '*144*10*05690560*XX*PIN#',
    '#144#8*646116*XX*{code}#',
    '*144*XX*{secret}#',
    '*144*XX*{mdp}#',
    '*144*XX*{mot de passe}#',
  ])('%j asks for a PIN, which stays between the person and the operator', (template) => {
    expect(dialTemplateProblem(template)).toContain('code secret');
  });

  test.each(['*144*{numero}#', '*144*xx#', '*144*{montant#', '*144*{Montant}#'])(
    '%j leaves a placeholder',
    (template) => {
      expect(dialTemplateProblem(template)).toContain('Repères acceptés');
    },
  );

  test.each(['', ' ', '*144', '144*XX#', '*144*1,5#', '70.12.34.56', '+2267012345678901234', 'tel:*144#'])(
    '%j is nothing a phone can dial',
    (template) => {
      expect(dialTemplateProblem(template)).toBeDefined();
    },
  );

  test.each([
    '+226 70 12 34 56',
    '+225 07 01 02 03 04',
    '0022670123456',
    '0701020304',
    '70 12 34 56',
    '+221 77 123 45 67',
    '01 97 12 34 56',
    // Of an office: fixed lines of Burkina Faso, Senegal and Benin.
    '+226 25 30 12 34',
    '+221 33 812 34 56',
    '01 21 30 12 34',
    '144',
    '3030',
    '80800',
  ])('%s is a number to call', (number) => {
    expect(dialTemplateProblem(number)).toBeUndefined();
  });

  test.each([
    ['701020304', '+221 70 102 03 04 ou +225 07 01 02 03 04'],
    ['708091011', '+225 07 08 09 10 11'],
    ['77 123 45 67', '+221 77 123 45 67'],
    ['501020304', '+225 05 01 02 03 04'],
    ['197123456', '+229 01 97 12 34 56'],
    ['5012345', '+226 05 01 23 45'],
    ['22670123456', '+226 70 12 34 56'],
  ])('%s may have lost its 0 or its plus in a spreadsheet, and is asked for as %s', (number, asked) => {
    expect(dialTemplateProblem(number)).toContain(asked);
  });

  test.each(['+33 6 12 34 56 78', '+226 7012345', '+22612345678', '123456', '0144', '012', '1234567890123'])(
    '%s is a number of none of the seven countries',
    (number) => {
      expect(dialTemplateProblem(number)).toContain("d'aucun des sept pays");
    },
  );

  test('whatever number of a person in the seven countries is given with its country, and without a plus or a 0 is not', () => {
    const country = fc.constantFrom(...countries);
    fc.assert(
      fc.property(country, fc.integer({ min: 0, max: 9_999 }), ({ code, example }, last) => {
        const national = example.slice(0, -4) + String(last).padStart(4, '0');
        expect(dialTemplateProblem(code + national)).toBeUndefined();
        expect(dialTemplateProblem(`00${code.slice(1)}${national}`)).toBeUndefined();
        expect(dialTemplateProblem(code.slice(1) + national)).toBeDefined();
        if (national.startsWith('0')) expect(dialTemplateProblem(national.slice(1))).toBeDefined();
      }),
    );
  });

  test('80 characters are the limit', () => {
    expect(dialTemplateProblem(`*144*${'1'.repeat(74)}#`)).toBeUndefined();
    expect(dialTemplateProblem(`*144*${'1'.repeat(75)}#`)).toContain('80');
  });

  test.each([
    '*#06#',
    '*#*#4636#*#*#',
    '*2767*3855#',
    '*#7465625#',
    '*99*1#',
    '*1234*XX#',
    '*\u00a02 1*{beneficiaire}#',
    '*{service}*XX#',
    '**{montant}*{beneficiaire}#',
    '*1{service}4*{beneficiaire}#',
    '*144{service}*XX#',
    '*XX*{beneficiaire}#',
    '#{beneficiaire}#',
    '17',
    '*144#**21*70123456#',
    '*144*1#*#06#',
    '*144*XX##',
    '*144*{montant}#*{beneficiaire}#',
    '#144#8*XX# *21#',
    '*144*XX# #',
  ])('%j may reach the network or the phone itself, and pays nobody', (template) => {
    expect(dialTemplateProblem(template)).toBeDefined();
    expect(isSafeToDial(template)).toBe(false);
  });

  test.each(['*144#*1#', '*144##1#', '*144*1#**21*{beneficiaire}#'])('%j is two codes', (template) => {
    expect(dialTemplateProblem(template)).toContain('Un seul code');
  });

  test.each(walletCodes.flatMap((code) => [`*${code}*1*{beneficiaire}*XX#`, `*${code}#`, `#${code}#8*1*{montant}#`]))(
    '%s is of a wallet',
    (template) => {
      expect(dialTemplateProblem(template)).toBeUndefined();
    },
  );

  const mark = fc.constantFrom('*', '#', '**', '##', '*#');
  const parameters = fc.array(fc.stringMatching(/^\d{0,13}$/), { maxLength: 4 });

  test('no procedure for a service of the network is a template, whatever its parameters and spaces', () => {
    const space = fc.constantFrom('', ' ', '\u00a0', '\u202f');
    const service = fc.constantFrom(...networkServices.split(' '));
    fc.assert(
      fc.property(mark, service, parameters, space, (procedure, code, given, gap) => {
        const typed = `${gap}${[...[`${procedure}${code}`, ...given].join('*')].join(gap)}#`;
        expect(dialTemplateProblem(typed), typed).toBeDefined();
        expect(isSafeToDial(typed), typed).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('the link to the dialler carries the whole code, whatever it is', () => {
  const code = fc.string({ unit: fc.constantFrom(...'0123456789*#') });
  fc.assert(
    fc.property(code, (given) => {
      const href = dialHref(given);
      expect(href).not.toContain('#');
      expect(decodeURIComponent(href.slice('tel:'.length))).toBe(given);
    }),
  );
});

describe('the merchant number (P18.7)', () => {
  test.each([
    ['*144*10*{marchand}*{montant}#', '*144*10*1234567*1500#', '*144*10*00000000*1500#'],
    ['*155*2*2*{marchand}*{marchand}*XX#', '*155*2*2*1234567*1234567*1500#', '*155*2*2*00000000*00000000*1500#'],
    ['*145*5*{montant}*{marchand}#', '*145*5*1500*1234567#', '*145*5*1500*00000000#'],
  ])('of %s gives %s, and the example without one, which pays nobody', (template, given, example) => {
    expect(dialTemplateProblem(template)).toBeUndefined();
    expect(fillDialTemplate(template, { ...values, merchant: '1234567' })).toBe(given);
    expect(paysNobody(given)).toBe(false);
    expect(fillDialTemplate(template, values)).toBe(example);
    expect(paysNobody(example)).toBe(true);
  });

  test('is no short code', () => {
    expect(dialTemplateProblem('*{marchand}*XX#')).toContain('portefeuille');
  });

  test.each(['* 00000000 *XX#', '*144*10*00000000*{montant}#', '#144#00000000#'])('of the example is in %s', (code) => {
    expect(paysNobody(code)).toBe(true);
  });

  test.each(['+225 07 00 00 00 00', '0700000000', '*144*10*0700000000*1500#', '*144*1*000000001234*1500#'])(
    'of the example is not in %s',
    (code) => {
      expect(paysNobody(code)).toBe(false);
    },
  );
});

describe('the code of an order (P8.10)', () => {
  const wallet = (paymentTypeId: number, country: string, operator: string | null, template: string) => ({
    paymentTypeId,
    country,
    operator,
    template,
    isBroken: false,
  });
  const [burkina, togo, senegal] = ['+226', '+228', '+221'];
  const orange = wallet(1, burkina, 'Orange', '*144*10*{marchand}*{montant}#');
  const orangeInSenegal = wallet(1, senegal, 'Orange', '#144#211*{marchand}*{montant}#');
  const moov = wallet(2, burkina, 'Moov', '*555*4*1*{marchand}*{montant}#');
  const moovInTogo = wallet(2, togo, 'Moov', '*155*2*2*{marchand}*{montant}#');
  const wallets = [orange, orangeInSenegal, moov, moovInTogo];
  const wave = 3;
  const service = '*144*2*1*{beneficiaire}*XX#';
  const none = { template: null, own: undefined, operator: null };
  const by = (id: number, country = burkina, countries: string[] = [], hasMerchant = false) => ({
    paymentType: { id, countries },
    country,
    hasMerchant,
  });
  const ownOf = (own: typeof orange) => ({ template: own.template, own, operator: own.operator });
  const ofService = (template: string, operator: string | null) => ({ template, own: undefined, operator });

  test.each([
    ["the service's own, of the chosen wallet", service, by(1), ofService(service, 'Orange')],
    ["the chosen wallet's, where the service's is another's", service, by(2), ownOf(moov)],
    ["none, where the service's is another's and the chosen one has none", service, by(wave), none],
    ["none of another country's wallet either", '*155*XX#', by(wave), none],
    ["none, where the service's is the chosen wallet's in another country only", '*155*XX#', by(2, senegal), none],
    [
      "the chosen wallet's, where the service's begins as that of another country",
      service,
      by(1, senegal),
      ownOf(orangeInSenegal),
    ],
    [
      "the service's in the country whose code it begins most like",
      '#144#211*9*XX#',
      by(1, senegal),
      ofService('#144#211*9*XX#', 'Orange'),
    ],
    ["the chosen wallet's, where the service has none", null, by(2), ownOf(moov)],
    ['none, where neither has one', null, by(wave), none],
    ['a number to call, from any SIM', '70 12 34 56', by(1), ofService('70 12 34 56', null)],
    ["the service's, of a network that no wallet has, from any SIM", '*999*XX#', by(wave), ofService('*999*XX#', null)],
    ['the same, for a type that has its own', '*999*XX#', by(1), ofService('*999*XX#', null)],
    [
      "the chosen wallet's, where the service's asks for a merchant of a network that no wallet has",
      '*999*{marchand}*XX#',
      by(1, burkina, [], true),
      ownOf(orange),
    ],
    ['none, where the chosen one has no code and no merchant number', '*999*{marchand}*XX#', by(wave), none],
    [
      "the service's, where the chosen one has its merchant number and no code",
      '*999*{marchand}*XX#',
      by(wave, burkina, [], true),
      ofService('*999*{marchand}*XX#', null),
    ],
    [
      "the service's, which asks for the merchant of its wallet",
      '*144*10*{marchand}*9*XX#',
      by(1),
      ofService('*144*10*{marchand}*9*XX#', 'Orange'),
    ],
    ['none by a type of other countries, not even a number to call', '70 12 34 56', by(1, togo, [burkina]), none],
    ['none by a type of other countries that has a code here', service, by(1, burkina, [togo]), none],
  ])('is %s', (_, template, chosen, plan) => {
    expect(planDialCode(template, chosen, wallets)).toEqual(plan);
  });

  test('is never a template that is broken, nor instead of it that of another wallet', () => {
    const broken = [orange, { ...moov, isBroken: true }];
    expect(planDialCode(null, by(2), broken)).toEqual(none);
    expect(planDialCode(service, by(2), broken)).toEqual(none);
  });

  test.each([
    ['of the service', '**21*0022670112233#', wallets, ownOf(moov)],
    ['of the wallet', null, [orange, { ...moov, template: '*2767*3855#' }], none],
    ['of the wallet, whose payer gets no other', service, [orange, { ...moov, template: '**05*{montant}#' }], none],
    ['of both', '##002#', [orange, { ...moov, template: '*{marchand}*1#' }], none],
    ['of a phone number of two digits', '17', [orange], none],
  ])('is no stored one that reaches the network itself: that %s', (_, template, stored, plan) => {
    expect(planDialCode(template, by(2), stored)).toEqual(plan);
  });

  test('is of the chosen type in the country of the payer, or of no wallet at all, whatever is stored', () => {
    const short = fc.constantFrom('144', '555', '155', '999');
    const code = fc.tuple(fc.constantFrom('*', '#'), short).map(([mark, digits]) => `${mark}${digits}*XX#`);
    const country = fc.constantFrom(burkina, togo);
    const anyWallet = fc.record({
      paymentTypeId: fc.integer({ min: 1, max: 3 }),
      country,
      operator: fc.option(fc.constantFrom('Orange', 'Moov', 'MTN')),
      template: code,
      isBroken: fc.boolean(),
    });
    const shortOf = (template: string) => /\d+/.exec(template)?.[0];
    fc.assert(
      fc.property(
        fc.option(fc.oneof(code, fc.constant('70123456'))),
        fc.integer({ min: 1, max: 3 }),
        country,
        fc.uniqueArray(anyWallet, { selector: ({ paymentTypeId, country }) => `${paymentTypeId} ${country}` }),
        (template, id, here, stored) => {
          const plan = planDialCode(template, by(id, here), stored);
          const chosen = stored.find((each) => each.paymentTypeId === id && each.country === here);
          if (plan.template === null) {
            expect(chosen === undefined || chosen.isBroken).toBe(true);
            if (template) expect(stored.map((each) => shortOf(each.template))).toContain(shortOf(template));
          } else if (plan.own) {
            expect(plan).toEqual(ownOf(chosen as typeof orange));
            expect(chosen?.isBroken).toBe(false);
          } else if (shortOf(plan.template) !== shortOf(chosen?.template ?? '')) {
            expect(plan.operator).toBeNull();
            expect(stored.map((each) => shortOf(each.template))).not.toContain(shortOf(plan.template));
          } else expect(plan.operator).toBe(chosen?.operator);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
