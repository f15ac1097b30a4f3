import type { Service } from '#contract/catalogue.ts';
import { newService } from '#contract/catalogue-edits.ts';

/** A service for tests, with the given fields and the defaults of a new one. */
export function makeService(fields: Partial<Service> & { id: number }): Service {
  const { removeImage: _, operatorNote: __, ...rest } = newService.parse({ name: `Service ${fields.id}` });
  const at = '2026-11-21T10:00:00.000Z';
  return { ...rest, level: 1, pictureUrl: null, createdAt: at, updatedAt: at, ...fields };
}
