import * as z from 'zod/mini';
import {
  adminService,
  commissionRange,
  commissionType,
  commissionValue,
  defaultTextColor,
  textSize,
  textStyle,
} from './catalogue.ts';
import { dialTemplateProblem } from './dial-code.ts';
import { endpoint } from './endpoint.ts';
import { isPriceUnreadable } from './money.ts';
import { rangesOverlap } from './pricing.ts';
import {
  component,
  count,
  deleted,
  documented,
  expectedUpdatedAt,
  formed,
  freeText,
  id,
  idParams,
  listOf,
  maximumLevel,
  nameText,
  text,
  verbatim,
  words,
} from './shapes.ts';

const commissionRanges = listOf(commissionRange, { max: 50 }).check(
  z.refine(
    (ranges) =>
      !rangesOverlap(
        ranges.map((range) => ({ ...range, rate: { type: range.commissionType, value: range.commissionValue } })),
      ),
    'Deux tranches se chevauchent.',
  ),
);

/** Null and the empty text both mean "none". */
/* @__NO_SIDE_EFFECTS__ */
function optionalText<T extends z.ZodMiniType>(schema: T, maxLength: number) {
  return documented(
    z.pipe(
      z.transform((value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value)),
      z.nullable(schema),
    ),
    { input: { type: ['string', 'null'], maxLength } },
  );
}

const priceProblem = (price: string) =>
  isPriceUnreadable(price)
    ? 'Écrivez un prix entier de 0 à 10\u00a0000\u00a0000 FCFA, comme «\u00a01\u00a0500 FCFA\u00a0» ou «\u00a0À partir de 500 FCFA\u00a0», ou des mots sans chiffre, comme «\u00a0Gratuit\u00a0» ou «\u00a0Selon facture\u00a0».'
    : undefined;

/** A text whose refusal is the sentence of `problemOf`. */
/* @__NO_SIDE_EFFECTS__ */
function judged(problemOf: (value: string) => string | undefined) {
  return text(80).check((context) => {
    const message = problemOf(context.value);
    if (message) context.issues.push({ code: 'custom', message, input: context.value });
  });
}

const fields = {
  name: nameText(120, 'Le nom du service est requis.'),
  description: freeText(2000),
  price: optionalText(judged(priceProblem), 80),
  level: z.int().check(z.gte(1), z.lte(maximumLevel)),
  parentId: z.nullable(id),
  isFinalLevel: z.boolean(),
  isVisible: z.boolean(),
  allowUserPriceInput: z.boolean(),
  commissionType,
  commissionValue,
  commissionRanges,
  textSize,
  textColor: formed(/^#[0-9A-Fa-f]{6}$/, 'Couleur attendue au format #1E293B.'),
  textStyle,
  phoneNumber: optionalText(judged(dialTemplateProblem), 80),
  sortOrder: z.int().check(z.gte(-32768), z.lte(32767)),
  operatorNote: documented(freeText(2000), { description: 'For administrators alone.' }),
  removeImage: z.boolean(),
};

/** The `data` field that creates a service. The level follows from the parent and is optional. */
export const newService = z.object({
  ...fields,
  description: z._default(fields.description, ''),
  price: z._default(fields.price, null),
  level: z.optional(fields.level),
  parentId: z._default(fields.parentId, null),
  isFinalLevel: z._default(fields.isFinalLevel, false),
  isVisible: z._default(fields.isVisible, true),
  allowUserPriceInput: z._default(fields.allowUserPriceInput, false),
  commissionType: z._default(fields.commissionType, 'fixed'),
  commissionValue: z._default(fields.commissionValue, 0),
  commissionRanges: z._default(fields.commissionRanges, []),
  textSize: z._default(fields.textSize, 'medium'),
  textColor: z._default(fields.textColor, defaultTextColor),
  textStyle: z._default(fields.textStyle, 'normal'),
  phoneNumber: z._default(fields.phoneNumber, null),
  sortOrder: z._default(fields.sortOrder, 0),
  operatorNote: z._default(fields.operatorNote, ''),
  removeImage: z._default(fields.removeImage, false),
});
export type NewService = z.output<typeof newService>;

/** The `data` field that changes a service; omitted fields keep their value. */
export const serviceChange = z.partial(z.object(fields));
export type ServiceChange = z.output<typeof serviceChange>;

export const createService = endpoint('createService', 'POST', '/api/services', {
  access: 'admin',
  summary: 'Creates a service; multipart field `data` (JSON) and optional file `image`.',
  body: newService,
  upload: { fileField: 'image', dataField: 'data' },
  response: adminService,
  status: 201,
  failures: ['TREE_INVALID'],
  audit: { title: 'Service créé', about: 'service', fields: ['name'] },
});

export const updateService = endpoint('updateService', 'PUT', '/api/admin/services/:id', {
  access: 'admin',
  summary: 'Changes a service; omitted fields of `data` keep their value.',
  params: idParams,
  body: z.extend(serviceChange, { expectedUpdatedAt }),
  upload: { fileField: 'image', dataField: 'data' },
  response: adminService,
  failures: ['TREE_INVALID', 'SERVICE_NOT_FOUND', 'CHANGED_MEANWHILE'],
  audit: { title: 'Service modifié', about: 'service', fields: ['name'] },
});

export const deleteService = endpoint('deleteService', 'DELETE', '/api/admin/services/:id', {
  access: 'admin',
  summary: 'Deletes a service without children; its tickets stay.',
  params: idParams,
  response: deleted,
  failures: ['SERVICE_NOT_FOUND', 'HAS_CHILDREN'],
  audit: { title: 'Service supprimé', about: 'service', fields: [] },
});

export const reorderServices = endpoint('reorderServices', 'PUT', '/api/admin/service-order', {
  access: 'admin',
  summary: 'Puts the services under a parent, or the roots, in this order; each of them is named, and no other.',
  body: z.object({
    parentId: z.nullable(id),
    ids: listOf(id, { min: 1, max: 1000 }),
    expectedIds: documented(z.optional(listOf(id, { max: 1000 })), {
      description:
        'The order that the caller saw, without what has just come there: where these stand in another one, the change is refused.',
    }),
  }),
  response: z.array(adminService),
  failures: ['ORDER_CHANGED', 'CHANGED_MEANWHILE'],
  audit: { title: 'Services réordonnés', about: 'service', fields: ['parentId'] },
});

export const exportCatalogue = endpoint('exportCatalogue', 'GET', '/api/admin/catalogue-export', {
  access: 'admin',
  summary: 'The whole catalogue as a CSV file, parents before children, as `importCatalogue` reads it.',
  download: { type: 'text/csv; charset=utf-8' },
  response: z.any(),
  topics: ['services'],
});

/** Bytes of a CSV file, enough for some thousand services. */
export const catalogueBytes = 2 * 1024 * 1024;

export const importCatalogue = endpoint('importCatalogue', 'POST', '/api/admin/catalogue-import', {
  access: 'admin',
  summary:
    'Reads a CSV file of services: a known id updates, none creates; all lines or none. A dry run writes nothing.',
  body: z.object({ csv: verbatim(1, catalogueBytes, 'Le fichier est vide.'), dryRun: z.boolean() }),
  bodyBytes: catalogueBytes,
  response: component(
    'CatalogueImport',
    z.object({
      created: count,
      updated: count,
      unchanged: count,
      written: documented(z.boolean(), { description: 'False for a dry run, and where a line is wrong.' }),
      errors: z.array(
        z.object({
          line: documented(z.int().check(z.gte(1)), { description: 'Of the file, the first being 1.' }),
          column: z.nullable(words()),
          message: words(),
        }),
      ),
    }),
  ),
  audit: { title: 'Catalogue importé', fields: ['dryRun'] },
});
