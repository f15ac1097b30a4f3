import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { component, expectedUpdatedAt, instant, words } from './shapes.ts';
import { storedImage } from './uploads.ts';

/** The background without any setting. */
export const pageBackgroundDefaults = { backgroundImage: null, opacity: 30, blur: 5 } as const;

/** Only an image stored by this server; opacity in percent, blur in pixels. */
const look = z.object({
  backgroundImage: storedImage,
  opacity: z.int().check(z.gte(0), z.lte(100)),
  blur: z.int().check(z.gte(0), z.lte(20)),
});
export type BackgroundLook = z.output<typeof look>;

const pageBackground = component('PageBackground', z.extend(look, { updatedAt: z.nullable(instant) }));
export type PageBackground = z.output<typeof pageBackground>;

export const readPageBackground = endpoint('readPageBackground', 'GET', '/api/admin/background-settings', {
  access: 'anyone',
  summary: 'The page background; public, since everybody sees it.',
  response: pageBackground,
  topics: ['page-background'],
});

export const savePageBackground = endpoint('savePageBackground', 'POST', '/api/admin/background-settings', {
  access: 'admin',
  summary: 'Sets the page background.',
  body: z.object({
    backgroundImage: z._default(look.shape.backgroundImage, null),
    opacity: z._default(look.shape.opacity, pageBackgroundDefaults.opacity),
    blur: z._default(look.shape.blur, pageBackgroundDefaults.blur),
    expectedUpdatedAt,
  }),
  response: pageBackground,
  failures: ['CHANGED_MEANWHILE'],
  audit: { title: 'Fond de page modifié', fields: ['backgroundImage', 'opacity', 'blur'] },
});

export const uploadPageBackground = endpoint('uploadPageBackground', 'POST', '/api/admin/upload-background', {
  access: 'admin',
  summary: 'Stores a background image; multipart file `background`.',
  upload: { fileField: 'background', required: true },
  response: z.object({ url: words() }),
  audit: { title: 'Image de fond téléchargée', fields: [] },
});
