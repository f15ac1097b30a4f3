import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const backgroundDefaults = { backgroundImage: null, opacity: 30, blur: 5 } as const;

/** Only an image this server stored; opacity in percent, blur in pixels. */
export const background = z.object({
  backgroundImage: z.nullable(
    z.string().check(z.regex(/^\/uploads\/[a-f0-9]{32}\.webp$/, "L'image doit être téléchargée ici.")),
  ),
  opacity: z.int().check(z.gte(0), z.lte(100)),
  blur: z.int().check(z.gte(0), z.lte(20)),
});
export type Background = z.output<typeof background>;

export const readBackground = endpoint({
  method: 'GET',
  path: '/api/admin/background-settings',
  caller: 'anyone',
  summary: 'The page background; public, since everybody sees it.',
  response: background,
});

export const saveBackground = endpoint({
  method: 'POST',
  path: '/api/admin/background-settings',
  caller: 'admin',
  summary: 'Sets the page background.',
  body: z.object({
    backgroundImage: z._default(background.shape.backgroundImage, null),
    opacity: z._default(background.shape.opacity, backgroundDefaults.opacity),
    blur: z._default(background.shape.blur, backgroundDefaults.blur),
  }),
  response: background,
});

export const uploadBackground = endpoint({
  method: 'POST',
  path: '/api/admin/upload-background',
  caller: 'admin',
  summary: 'Stores a background image; multipart file `background`.',
  upload: { fileField: 'background', required: true },
  response: z.object({ url: z.string() }),
});
