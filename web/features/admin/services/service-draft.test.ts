import { describe, expect, test } from 'vitest';
import { newService } from '#contract/catalogue-edits.ts';
import { readForm } from '#web/forms/read-form.ts';
import { formatCount } from '#web/text/formats.ts';
import { changesOf, draftErrors, draftOf, newDraft, readFrancs, readRate, ruleOf } from './service-draft.ts';
import { makeAdminService } from './test-services.ts';

const stored = makeAdminService({
  id: 7,
  name: 'Envoi national',
  price: '1 000 FCFA',
  isFinalLevel: true,
  commissionType: 'range',
  commissionRanges: [
    { minPrice: 1, maxPrice: 5000, commissionType: 'fixed', commissionValue: 100 },
    { minPrice: 5001, maxPrice: null, commissionType: 'percentage', commissionValue: 1.5 },
  ],
  phoneNumber: '*144*XX#',
  pictureUrl: '/uploads/a.webp',
});
const before = draftOf(stored);
const file = new File(['x'], 'x.png', { type: 'image/png' });

describe('what is sent', () => {
  test('is nothing of what was not touched, nor of what only looks otherwise', () => {
    expect(changesOf(before, before)).toEqual({ body: {} });
    const ranges = before.commissionRanges.map((range) => ({ ...range, maxPrice: range.maxPrice.replace(/\s/g, '') }));
    const typed = { ...before, name: ' Envoi national ', commissionRanges: ranges };
    expect(changesOf(before, typed)).toEqual({ body: {} });
  });

  test('is each field that was changed, as the contract has it', () => {
    const written = { ...before, name: 'Envoi', price: ' ', parentId: 3, isVisible: false };
    expect(changesOf(before, written)).toEqual({
      body: { name: 'Envoi', price: null, parentId: 3, isVisible: false },
    });
  });

  test('is of the commission what counts: a value or ranges, and nothing where nobody can order', () => {
    const fixed = { ...before, commissionType: 'fixed' as const, commissionValue: '1,5', commissionRanges: [] };
    expect(changesOf(before, fixed).body).toEqual({ commissionType: 'fixed', commissionValue: 1.5 });
    expect(changesOf(before, { ...fixed, isFinalLevel: false }).body).toEqual({ isFinalLevel: false });
  });

  test('is a new image, or that there shall be none', () => {
    expect(changesOf(before, { ...before, image: file })).toEqual({ body: {}, file });
    expect(changesOf(before, { ...before, image: null })).toEqual({ body: { removeImage: true } });
    const without = { ...before, image: null };
    expect(changesOf(without, without)).toEqual({ body: {} });
  });

  test('is of a new service what differs from what the contract takes for granted', () => {
    const { body } = changesOf(newDraft, { ...newDraft, name: 'Eau' });
    expect(body).toEqual({ name: 'Eau' });
    const { sortOrder: _, parentId: __, ...granted } = readForm(newService, { name: 'x' }).data ?? { name: '' };
    expect(draftOf(makeAdminService({ id: 1, ...granted, name: '' }))).toMatchObject(newDraft);
  });
});

describe('numbers', () => {
  test('are checked where they count, those of ranges by the range and its field', () => {
    const wrong = { ...before, commissionType: 'fixed' as const, commissionValue: 'cent' };
    expect(Object.keys(draftErrors(wrong))).toEqual(['commissionValue']);
    expect(draftErrors({ ...wrong, isFinalLevel: false })).toEqual({});
    expect(draftErrors(before)).toEqual({});
    const row = { minPrice: '1', maxPrice: '', commissionType: 'fixed' as const, commissionValue: '1' };
    const commissionRanges = [
      { ...row, minPrice: '' },
      { ...row, maxPrice: '10 000 001' },
      { ...row, commissionValue: '1,555' },
    ];
    expect(Object.keys(draftErrors({ ...before, commissionRanges }))).toEqual([
      'commissionRanges.0.minPrice',
      'commissionRanges.1.maxPrice',
      'commissionRanges.2.commissionValue',
    ]);
    expect(ruleOf({ ...before, commissionRanges })).toEqual({
      type: 'range',
      ranges: [{ minPrice: 1, maxPrice: null, rate: { type: 'fixed', value: 0 } }],
    });
  });

  test.each([
    [' 5 000 ', 5000, 5000],
    [formatCount(5_000_000), 5_000_000, 5_000_000],
    ['10 000 001', undefined, 10_000_001],
    ['1,5', undefined, 1.5],
    ['1.25', undefined, 1.25],
    ['1,555', undefined, undefined],
    ['-1', undefined, undefined],
    ['', undefined, undefined],
  ])('%j is read as %s francs, and as a rate of %s', (typed, francs, rate) => {
    expect(readFrancs(typed)).toBe(francs);
    expect(readRate(typed)).toBe(rate);
  });
});
