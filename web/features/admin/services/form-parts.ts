import type { FieldErrors } from '#web/forms/read-form.ts';
import type { ServiceDraft } from './service-draft.ts';

/** What each part of the form gets: what is written so far, what is wrong with it, and how to write on. */
export interface FormPart {
  draft: ServiceDraft;
  errors: FieldErrors;
  change: (part: Partial<ServiceDraft>) => void;
}
