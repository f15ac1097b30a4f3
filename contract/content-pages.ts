import * as z from 'zod/mini';
import { endpoint, id, idParams, instant, text } from './endpoint.ts';

const slug = z
  .string()
  .check(z.trim(), z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Lettres minuscules, chiffres et tirets.'), z.maxLength(80));

export const contentPage = z.object({
  id,
  slug: z.string(),
  title: z.string(),
  content: z.string(),
  isActive: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});
export type ContentPage = z.output<typeof contentPage>;

const fields = { slug, title: text(160), content: text(100_000), isActive: z.boolean() };

export const readContentPage = endpoint({
  method: 'GET',
  path: '/api/content-pages/:slug',
  caller: 'anyone',
  summary: 'An active content page.',
  params: z.object({ slug: z.string().check(z.maxLength(80)) }),
  response: contentPage,
});

export const listContentPages = endpoint({
  method: 'GET',
  path: '/api/admin/content-pages',
  caller: 'admin',
  summary: 'Every content page, by title.',
  response: z.array(contentPage),
});

export const createContentPage = endpoint({
  method: 'POST',
  path: '/api/admin/content-pages',
  caller: 'admin',
  summary: 'Creates a content page.',
  body: z.object({ ...fields, isActive: z._default(fields.isActive, true) }),
  response: contentPage,
  status: 201,
});

export const updateContentPage = endpoint({
  method: 'PUT',
  path: '/api/admin/content-pages/:id',
  caller: 'admin',
  summary: 'Changes a content page; what is left out stays.',
  params: idParams,
  body: z.partial(z.object(fields)),
  response: contentPage,
});

export const deleteContentPage = endpoint({
  method: 'DELETE',
  path: '/api/admin/content-pages/:id',
  caller: 'admin',
  summary: 'Deletes a content page.',
  params: idParams,
  response: z.object({ id }),
});
