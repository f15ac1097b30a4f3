import { codeRules } from './code-rules.ts';
import { importRules } from './import-rules.ts';
import { roomRules } from './room-rules.ts';
import type { Rule } from './rule.ts';
import { sliceRules } from './slice-rules.ts';
import { textRules } from './text-rules.ts';
import { webRules } from './web-rules.ts';

/** Every rule of the house. */
export const rules: readonly Rule[] = [
  ...importRules,
  ...roomRules,
  ...sliceRules,
  ...codeRules,
  ...webRules,
  ...textRules,
];
