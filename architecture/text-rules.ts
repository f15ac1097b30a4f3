import type { SourceFile } from './files.ts';
import { isCode, isScript, isTypeScript, type Rule } from './rule.ts';
import { commentsOf } from './syntax.ts';

/** What stands in the comments of a file of any language. */
const notesOf = (file: SourceFile) =>
  isScript(file) ? commentsOf(file) : (file.text.match(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->/g) ?? []);

export const textRules: Rule[] = [
  {
    sentence: 'no comment leaves something to do',
    looksAt: isCode,
    breaks: (file) =>
      notesOf(file)
        .flatMap((note) => note.match(/\bTODO\b|\bFIXME\b|\bXXX:/g) ?? [])
        .map((word) => `says ${word}`),
    broken: [
      { 'server/a.ts': '// TODO later' },
      { 'scripts/a.mjs': 'run(); /* XXX: why */' },
      { 'web/a.css': '/* FIXME */' },
      { 'web/a.html': '<!-- TODO -->' },
    ],
    fine: [{ 'server/a.ts': "const todo = 'TODO';\n// methodo, XXXX" }, { 'web/a.css': 'a {}' }],
  },
  {
    sentence: 'every source file stays under 400 lines',
    looksAt: isCode,
    breaks(file) {
      const lines = file.text.replace(/\n$/, '').split('\n').length;
      return lines >= 400 ? [`has ${lines} lines`] : [];
    },
    broken: [{ 'server/a.ts': 'a();\n'.repeat(400) }],
    fine: [{ 'server/a.ts': 'a();\n'.repeat(399) }],
  },
  {
    sentence: 'nothing is called utils, helpers, misc or common',
    looksAt: isCode,
    breaks: (file) =>
      file.path
        .split('/')
        .filter((part) => /^(?:utils?|helpers?|misc|common)(?:\.|$)/i.test(part))
        .map((part) => `is in a drawer, ${part}`),
    broken: [{ 'server/utils/a.ts': '' }, { 'web/helpers.ts': '' }],
    fine: [{ 'web/ui/date-field.test.tsx': '' }],
  },
  {
    sentence: 'files and folders are named in kebab-case',
    looksAt: isCode,
    breaks: (file) =>
      file.path
        .split('/')
        .filter((part) => !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/.test(part))
        .map((part) => `has the name ${part}`),
    broken: [{ 'web/ui/Button.tsx': '' }, { 'server/my_file.ts': '' }],
    fine: [{ 'web/ui/date-field.test.tsx': '' }],
  },
  {
    sentence: 'there is no .tsx outside web/, since Node runs the rest as it is',
    looksAt: isTypeScript,
    breaks: (file) => (file.path.endsWith('.tsx') && !file.path.startsWith('web/') ? ['is a .tsx'] : []),
    broken: [{ 'server/a.tsx': '' }],
    fine: [{ 'web/ui/date-field.test.tsx': '' }],
  },
];
