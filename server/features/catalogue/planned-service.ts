import type { NewService } from '#contract/catalogue.ts';
import type { FileRow } from './read-catalogue-file.ts';
import type { CataloguedService } from './store.ts';

/** What a line of the file says of a service besides its place. */
export type PlannedFields = Omit<NewService, 'parentId' | 'level' | 'removeImage'>;

/** A service as the file leaves it. */
export interface PlannedService {
  /** What is stored now; nothing for a new one. */
  current: CataloguedService | undefined;
  /** The line that names it; a new one has one. */
  row: FileRow | undefined;
  fields: PlannedFields;
  parent: PlannedService | null;
  level: number;
}

export type NamedService = PlannedService & { row: FileRow };

/** Whether its line hangs a service where it does not hang yet. */
export function isHungAnew(service: PlannedService): service is NamedService {
  const { current, parent } = service;
  return current === undefined || (parent === null ? null : parent.current?.id) !== current.parentId;
}
