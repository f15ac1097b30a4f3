import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { commissionRange } from './catalogue.ts';
import { newService, serviceChange } from './catalogue-edits.ts';
import { maximumAmount } from './money.ts';

const accepts = (schema: z.ZodMiniType, given: unknown) => z.safeParse(schema, given).success;
const band = (minPrice: number, maxPrice: number | null, commissionValue: number | string = 100, percent = false) => ({
  minPrice,
  maxPrice,
  commissionValue,
  commissionType: percent ? ('percentage' as const) : ('fixed' as const),
});

describe('a new service', () => {
  test('needs a name only; the rest are the defaults of P15.4', () => {
    expect(z.parse(newService, { name: ' Envoi ' })).toEqual({
      name: 'Envoi',
      description: '',
      price: null,
      parentId: null,
      phoneNumber: null,
      sortOrder: 0,
      operatorNote: '',
      isFinalLevel: false,
      isVisible: true,
      allowUserPriceInput: false,
      removeImage: false,
      commissionType: 'fixed',
      commissionValue: 0,
      commissionRanges: [],
      textSize: 'medium',
      textColor: '#1E293B',
      textStyle: 'normal',
    });
  });

  test.each([
    [{ name: ' ' }],
    [{ name: 'x'.repeat(121) }],
    [{ level: 0 }],
    [{ level: 6 }],
    [{ parentId: 0 }],
    [{ commissionType: 'autre' }],
    [{ commissionValue: -1 }],
    [{ commissionValue: 1.234 }],
    [{ commissionValue: maximumAmount + 1 }],
    [{ textSize: 'huge' }],
    [{ textColor: '#12345' }],
    [{ textColor: '#1E293B;background:url(x)' }],
    [{ textStyle: 'underline' }],
    [{ phoneNumber: '*144*XX*PIN#' }],
    [{ sortOrder: 1e9 }],
    [{ commissionRanges: [band(1, 10), band(10, 20)] }],
    [{ commissionRanges: [band(1, null), band(50, 60)] }],
    [{ commissionRanges: [band(10, 9)] }],
    [{ commissionRanges: [band(-1, 9)] }],
    [{ commissionRanges: [band(1, 9, '1.234', true)] }],
  ])('with %j is refused', (change) => {
    expect(accepts(newService, { name: 'Envoi', ...change })).toBe(false);
  });

  test('with a range asking more than 100 % is refused: its tickets would pass the highest total', () => {
    const commissionType = 'range' as const;
    const asking = (percent: number) => ({
      name: 'Envoi',
      commissionType,
      commissionRanges: [band(1, null, percent, true)],
    });
    expect(accepts(newService, asking(100))).toBe(true);
    expect(accepts(newService, asking(101))).toBe(false);
  });

  test('takes text sizes, styles, two decimals, and ranges that touch or leave gaps', () => {
    const service = z.parse(newService, {
      name: 'Envoi',
      price: '  ',
      level: 3,
      parentId: 2,
      isFinalLevel: true,
      phoneNumber: ' *144*XX# ',
      commissionType: 'range',
      textSize: 'large',
      textStyle: 'bold italic',
      textColor: '#abcdef',
      commissionRanges: [band(1, 10), band(11, 20, 1.15, true), band(100, null, 0)],
    });
    expect(service).toMatchObject({ price: null, level: 3, phoneNumber: '*144*XX#' });
    expect(service.commissionRanges.map((each) => each.commissionValue)).toEqual([100, 1.15, 0]);
  });

  test.each([null, [7], true, '', '7', '0x10', '-5', '5,5', Number.NaN, Number.POSITIVE_INFINITY])(
    "%j is nobody's commission, and makes no level nor order",
    (commissionValue) => {
      const commissionType = 'fixed' as const;
      expect(accepts(newService, { name: 'Envoi', commissionValue })).toBe(false);
      expect(accepts(newService, { name: 'Envoi', level: commissionValue })).toBe(false);
      expect(accepts(newService, { name: 'Envoi', sortOrder: commissionValue })).toBe(false);
      expect(accepts(commissionRange, { minPrice: 1, maxPrice: null, commissionType, commissionValue })).toBe(false);
    },
  );
});

test('a change of a service keeps what is left out, and obeys the same rules', () => {
  expect(z.parse(serviceChange, {})).toEqual({});
  expect(z.parse(serviceChange, { isVisible: false })).toEqual({ isVisible: false });
  expect(z.parse(serviceChange, { phoneNumber: '' })).toEqual({ phoneNumber: null });
  expect(accepts(serviceChange, { name: '' })).toBe(false);
  expect(accepts(serviceChange, { commissionRanges: [band(1, 10), band(5, 20)] })).toBe(false);
});
