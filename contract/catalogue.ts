import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { failureSentences } from './failure-sentences.ts';
import { maximumAmount } from './money.ts';
import { component, count, digits, documented, id, idInPath, instant, level, words } from './shapes.ts';

export const textSizes = ['small', 'medium', 'large'] as const;
export const textStyles = ['normal', 'bold', 'italic', 'bold italic'] as const;
export const commissionTypes = ['fixed', 'percentage', 'range'] as const;
export const textSize = component('TextSize', z.enum(textSizes));
export const textStyle = component('TextStyle', z.enum(textStyles));
export const commissionType = component('CommissionType', z.enum(commissionTypes));
export const defaultTextColor = '#1E293B';

/** Percent or CFA francs, two decimals at most. */
export const commissionValue = z.number().check(
  z.gte(0, 'La commission ne peut pas être négative.'),
  z.lte(maximumAmount, 'La commission est trop élevée.'),
  z.refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, 'Deux décimales au plus.'),
);

const amount = z.int().check(z.gte(0), z.lte(maximumAmount));

export const commissionRange = component(
  'CommissionRange',
  z
    .object({
      minPrice: amount,
      maxPrice: z.nullable(amount),
      commissionType: z.enum(['fixed', 'percentage']),
      commissionValue,
    })
    .check(
      z.refine((range) => range.maxPrice === null || range.maxPrice >= range.minPrice, {
        error: 'Le maximum doit atteindre le minimum.',
        path: ['maxPrice'],
      }),
      z.refine((range) => range.commissionType === 'fixed' || range.commissionValue <= 100, {
        error: failureSentences.percentageTooHigh,
        path: ['commissionValue'],
      }),
    ),
);

export const service = component(
  'Service',
  z.object({
    id,
    name: words(),
    description: words(),
    price: documented(z.nullable(words()), { description: 'Free text, such as « À partir de 500 FCFA ».' }),
    pictureUrl: z.nullable(words()),
    level,
    parentId: z.nullable(id),
    isFinalLevel: z.boolean(),
    isVisible: z.boolean(),
    allowUserPriceInput: z.boolean(),
    commissionType,
    commissionValue: documented(z.number(), { description: 'CFA francs, or percent; nothing for ranges.' }),
    commissionRanges: z.array(commissionRange),
    textSize,
    textColor: words(),
    textStyle,
    phoneNumber: documented(z.nullable(words()), {
      description: 'The number to call, or the template of the code to dial.',
    }),
    sortOrder: z.int(),
    demand: documented(z.optional(count), {
      description: 'In `listCatalogue`: the place among the services most asked for in the last 30 days, from 1.',
    }),
    createdAt: instant,
    updatedAt: instant,
  }),
);
export type Service = z.output<typeof service>;

/** A service with the fields that visitors do not get. */
export const adminService = component('AdminService', z.extend(service, { operatorNote: words() }));
export type AdminService = z.output<typeof adminService>;

export const listServices = endpoint('listServices', 'GET', '/api/services', {
  access: 'anyone',
  summary: 'The visible services under a parent, or the roots, in their order.',
  query: z.object({ parentId: z.optional(idInPath) }),
  response: z.array(service),
  topics: ['services'],
});

export const listCatalogue = endpoint('listCatalogue', 'GET', '/api/catalogue', {
  access: 'anyone',
  summary: 'Every service that visitors can reach, parents before children and neighbours in their order.',
  response: z.array(service),
  topics: ['services'],
});

export const listAllServices = endpoint('listAllServices', 'GET', '/api/admin/services', {
  access: 'admin',
  summary: 'Every service, hidden ones included, parents before children.',
  response: z.array(adminService),
  counted: true,
  topics: ['services'],
});

export const readCommission = endpoint('readCommission', 'GET', '/api/commission/:serviceId', {
  access: 'anyone',
  summary: 'The commission on an amount, in CFA francs.',
  params: z.object({ serviceId: idInPath }),
  query: z.object({
    userPrice: digits(0, maximumAmount, 'Le montant doit être un nombre entier de francs CFA.'),
  }),
  response: z.object({ commission: count }),
  failures: ['SERVICE_NOT_FOUND'],
  topics: ['services'],
});
