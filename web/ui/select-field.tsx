import { labelled } from './field.tsx';

export const SelectField = labelled('select');
