import * as z from 'zod/mini';
import { formed } from './shapes.ts';

/** 5 MB, read as 5 × 1024 × 1024 bytes. */
export const maximumImageBytes = 5 * 1024 * 1024;
export const imageTypes = ['image/jpeg', 'image/jpg', 'image/png', 'image/webp'] as const;

/** What is said of another image than one of this server's; here, since every screen loads the page background's schema. */
export const imageNotFromHere = "L'image doit être téléchargée ici.";

/** The address of an image that this server stored, or none. */
export const storedImage = z.nullable(formed(/^\/uploads\/[a-f0-9]{32}\.webp$/, imageNotFromHere));
