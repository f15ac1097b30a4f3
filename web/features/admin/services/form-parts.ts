import type { FieldErrors } from '#web/forms/read-form.ts';
import type { ServiceDraft } from './service-draft.ts';

/** Props of each part of the form: the draft, its errors, and a setter. */
export interface FormPart {
  draft: ServiceDraft;
  errors: FieldErrors;
  change: (part: Partial<ServiceDraft>) => void;
}
