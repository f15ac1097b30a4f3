import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import {
  component,
  deleted,
  expectedUpdatedAt,
  formed,
  freeText,
  id,
  idParams,
  instant,
  nameText,
  text,
  words,
} from './shapes.ts';

const slug = formed(/^(?=.{1,80}$)[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Lettres minuscules, chiffres et tirets.');

export const contentPage = component(
  'ContentPage',
  z.object({
    id,
    slug: words(),
    title: words(),
    content: words(),
    isActive: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  }),
);
export type ContentPage = z.output<typeof contentPage>;

export const contentPageForm = z.object({ slug, title: nameText(160), content: text(100_000), isActive: z.boolean() });

export const readContentPage = endpoint('readContentPage', 'GET', '/api/content-pages/:slug', {
  access: 'anyone',
  summary: 'An active content page.',
  params: z.object({ slug: freeText(80) }),
  response: contentPage,
  failures: ['PAGE_NOT_FOUND'],
  topics: ['content-pages'],
});

export const listContentPages = endpoint('listContentPages', 'GET', '/api/admin/content-pages', {
  access: 'admin',
  summary: 'Every content page, by title.',
  response: z.array(contentPage),
  topics: ['content-pages'],
});

export const createContentPage = endpoint('createContentPage', 'POST', '/api/admin/content-pages', {
  access: 'admin',
  summary: 'Creates a content page.',
  body: z.extend(contentPageForm, { isActive: z._default(contentPageForm.shape.isActive, true) }),
  response: contentPage,
  status: 201,
  failures: ['SLUG_TAKEN'],
  audit: { title: 'Page créée', about: 'content-page', fields: ['slug', 'title', 'isActive'] },
});

export const updateContentPage = endpoint('updateContentPage', 'PUT', '/api/admin/content-pages/:id', {
  access: 'admin',
  summary: 'Changes a content page; omitted fields keep their value.',
  params: idParams,
  body: z.extend(z.partial(contentPageForm), { expectedUpdatedAt }),
  response: contentPage,
  failures: ['PAGE_NOT_FOUND', 'SLUG_TAKEN', 'CHANGED_MEANWHILE'],
  audit: { title: 'Page modifiée', about: 'content-page', fields: ['slug', 'title', 'isActive'] },
});

export const deleteContentPage = endpoint('deleteContentPage', 'DELETE', '/api/admin/content-pages/:id', {
  access: 'admin',
  summary: 'Deletes a content page.',
  params: idParams,
  response: deleted,
  failures: ['PAGE_NOT_FOUND'],
  audit: { title: 'Page supprimée', about: 'content-page', fields: [] },
});
