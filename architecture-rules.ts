import path from 'node:path';
import { importsOf, packageOf, type SourceFile, targetOf, withoutComments } from './architecture-files.ts';

export interface Rule {
  /** The rule, as design §2 has it; the test's name. */
  sentence: string;
  /** Which files it looks at. */
  looksAt: (file: SourceFile) => boolean;
  /** One phrase per break, to be read after the file's name. */
  breaks: (file: SourceFile) => string[];
}

/** Places a rule does not hold, each with its reason. A path ending in `/` means all below it. */
type Exceptions = Record<string, string>;

/** Server slices in order: each may import those before it. */
export const slices = [
  ...['sms', 'uploads', 'users', 'sessions', 'auth', 'payment-types', 'content-pages', 'background'],
  ...['catalogue', 'notifications', 'tickets', 'audit'],
];

const fastifyMay: Exceptions = {
  'server/app.ts': 'builds the Fastify application',
  'server/http/': 'is the bridge from the contract to Fastify',
  'server/features/sessions/': 'the session lives in a cookie of the request',
  'server/features/auth/flow-cookie.ts': 'ties a code to the browser by a cookie of the request',
  'server/features/audit/record-actions.ts': 'is a hook on every answer',
  'server/worker.ts': "takes the application's logger (type only)",
  'server/testing/': 'calls the application without a network',
};

const drizzleMay: Exceptions = {
  'server/database/': 'holds the tables and the connection',
};

const environmentMay: Exceptions = {
  'server/environment.ts': 'is where settings are read, once',
  'server/testing/': 'starts processes like a shell does',
};

const fetchMay: Exceptions = {
  'web/api/client.ts': 'is how the browser calls the API',
  'server/features/sms/gateways/': 'call the SMS operators',
  'server/testing/': 'calls a started process over the network',
};

const webUiMay = ['react', 'react-dom', 'radix-ui'];
const contractMay = ['zod'];
const contractTestsMay = [...contractMay, 'vitest', 'fast-check', 'libphonenumber-js'];

const isTypeScript = (file: SourceFile) => /\.tsx?$/.test(file.path);
const isTest = (file: SourceFile) => /\.(?:test|spec)\.tsx?$/.test(file.path);
const isCode = (file: SourceFile) => /\.(?:tsx?|mjs|cjs|js|css|html)$/.test(file.path);
const isIn =
  (...folders: string[]) =>
  (file: SourceFile) =>
    folders.some((folder) => file.path.startsWith(`${folder}/`));
const inHouse = isIn('contract', 'server', 'web');
const isExcepted = (file: SourceFile, exceptions: Exceptions) =>
  Object.keys(exceptions).some((place) => (place.endsWith('/') ? file.path.startsWith(place) : file.path === place));
const sliceOf = (file: string, side: 'server' | 'web') => new RegExp(`^${side}/features/([^/]+)/`).exec(file)?.[1];

/** A rule on each import: what is wrong with it, if anything. */
function onImports(judge: (file: SourceFile, specifier: string, target: string | undefined) => string | undefined) {
  return (file: SourceFile) =>
    importsOf(file).flatMap((specifier) => judge(file, specifier, targetOf(file.path, specifier)) ?? []);
}

const importRules: Rule[] = [
  {
    sentence: 'contract/ imports zod and itself only',
    looksAt: (file) => isIn('contract')(file) && isTypeScript(file),
    breaks: onImports((file, specifier, target) => {
      const allowed = isTest(file) ? contractTestsMay : contractMay;
      const fine = target ? target.startsWith('contract/') : allowed.includes(packageOf(specifier) ?? '');
      return fine ? undefined : `imports ${specifier}`;
    }),
  },
  {
    sentence: 'server/ and web/ never import one another',
    looksAt: (file) => isIn('server', 'web')(file) && isTypeScript(file),
    breaks: onImports((file, specifier, target) => {
      const other = file.path.startsWith('web/') ? 'server/' : 'web/';
      return target?.startsWith(other) ? `imports ${specifier}` : undefined;
    }),
  },
  {
    sentence: 'web/ui imports only itself and React',
    looksAt: (file) => isIn('web/ui')(file) && isTypeScript(file) && !isTest(file),
    breaks: onImports((_, specifier, target) => {
      const fine = target ? target.startsWith('web/ui/') : webUiMay.includes(packageOf(specifier) ?? '');
      return fine ? undefined : `imports ${specifier}`;
    }),
  },
  {
    sentence: `a server slice imports only slices before it (${slices.join(', ')})`,
    looksAt: (file) => isIn('server/features')(file) && isTypeScript(file) && !isTest(file),
    breaks(file) {
      const own = slices.indexOf(sliceOf(file.path, 'server') ?? '');
      if (own < 0) return ['belongs to a slice that is not in the order of the slices'];
      return onImports((_, specifier, target) => {
        const slice = target === undefined ? undefined : sliceOf(target, 'server');
        return slice !== undefined && !slices.slice(0, own + 1).includes(slice) ? `imports ${specifier}` : undefined;
      })(file);
    },
  },
  {
    sentence: "no slice imports another slice's routes.ts",
    looksAt: (file) => isIn('server/features')(file) && isTypeScript(file),
    breaks: onImports((file, specifier, target) => {
      const foreign = target !== undefined && sliceOf(target, 'server') !== sliceOf(file.path, 'server');
      return foreign && target.endsWith('/routes.ts') ? `imports ${specifier}` : undefined;
    }),
  },
  {
    sentence: 'web slices never import one another: web/app.tsx puts their screens together',
    looksAt: (file) => isIn('web/features')(file) && isTypeScript(file),
    breaks: onImports((file, specifier, target) => {
      const slice = target === undefined ? undefined : sliceOf(target, 'web');
      return slice !== undefined && slice !== sliceOf(file.path, 'web') ? `imports ${specifier}` : undefined;
    }),
  },
  {
    sentence: 'drizzle appears only in store.ts files and server/database/',
    looksAt: (file) => inHouse(file) && isTypeScript(file),
    breaks(file) {
      if (isExcepted(file, drizzleMay) || /store\.ts$/.test(file.path)) return [];
      return onImports((_, specifier) => (/^drizzle-/.test(specifier) ? `imports ${specifier}` : undefined))(file);
    },
  },
  {
    sentence: 'Fastify appears only in app.ts, http/, routes.ts and the hooks on requests',
    looksAt: (file) => inHouse(file) && isTypeScript(file) && !isTest(file),
    breaks(file) {
      if (isExcepted(file, fastifyMay) || /^server\/features\/[^/]+\/routes\.ts$/.test(file.path)) return [];
      return onImports((_, specifier) => (/^@?fastify/.test(specifier) ? `imports ${specifier}` : undefined))(file);
    },
  },
  {
    sentence: "imports say './x.ts' in the same folder and '#contract/…', '#server/…' or '#web/…' elsewhere",
    looksAt: (file) => inHouse(file) && isTypeScript(file),
    breaks: onImports((file, specifier, target) => {
      if (/(?:^|\/)\.\.(?:\/|$)/.test(specifier)) return `climbs with ${specifier}`;
      const neighbour = target !== undefined && path.posix.dirname(target) === path.posix.dirname(file.path);
      return specifier.startsWith('#') && neighbour ? `names its neighbour ${specifier}` : undefined;
    }),
  },
];

const textRules: Rule[] = [
  {
    sentence: 'process.env is read only in server/environment.ts, configurations and tests',
    looksAt: (file) => inHouse(file) && isTypeScript(file),
    breaks(file) {
      if (isExcepted(file, environmentMay) || isTest(file) || /\.config\.ts$/.test(file.path)) return [];
      return /\bprocess\s*\.\s*env\b|\bprocess\s*\[|{[^}]*\benv\b[^}]*}\s*=\s*process\b/.test(
        withoutComments(file.text),
      )
        ? ['reads process.env']
        : [];
    },
  },
  {
    sentence: 'fetch is called only in web/api/client.ts and the gateway adapters',
    looksAt: (file) => inHouse(file) && isTypeScript(file),
    breaks(file) {
      if (isExcepted(file, fetchMay) || isTest(file)) return [];
      return /\bfetch\s*\(/.test(withoutComments(file.text)) ? ['calls fetch'] : [];
    },
  },
  {
    sentence: 'there are no barrel files, which only re-export other files',
    looksAt: isTypeScript,
    breaks(file) {
      const rest = withoutComments(file.text)
        .replace(/\bexport\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|{[^}]*})\s*from\s*['"][^'"]+['"];?/g, '')
        .replace(/\bimport\s[^'"]*['"][^'"]+['"];?|\bexport\s+(?:type\s+)?{[^}]*};?/g, '')
        .trim();
      const reaches = importsOf(file).some((specifier) => targetOf(file.path, specifier));
      return rest === '' && reaches ? ["only re-exports other files'"] : [];
    },
  },
  {
    sentence: 'a test is neither skipped nor run alone',
    looksAt: (file) => isTest(file),
    breaks(file) {
      const found = withoutComments(file.text).match(
        /\b(?:test|it|describe|suite|bench)(?:\.\w+)*\.(?:skip|only|todo|fixme|skipIf|runIf|fails?)\b|\bx(?:it|test|describe)\s*\(/g,
      );
      return (found ?? []).map((each) => `has ${each}`);
    },
  },
  {
    // Written so that this file does not hold the words.
    sentence: ['no TO', 'DO or FIX', 'ME is left'].join(''),
    looksAt: isCode,
    breaks: (file) => (file.text.match(/\bTOD[O]\b|\bFIXM[E]\b|\bXX[X]:/g) ?? []).map((word) => `says ${word}`),
  },
  {
    sentence: 'every source file stays under 400 lines',
    looksAt: isCode,
    breaks(file) {
      const lines = file.text.replace(/\n$/, '').split('\n').length;
      return lines >= 400 ? [`has ${lines} lines`] : [];
    },
  },
];

const nameRules: Rule[] = [
  {
    sentence: 'nothing is called utils, helpers, misc or common',
    looksAt: isCode,
    breaks: (file) =>
      file.path
        .split('/')
        .filter((part) => /^(?:utils?|helpers?|misc|common)(?:\.|$)/i.test(part))
        .map((part) => `is in a drawer, ${part}`),
  },
  {
    sentence: 'files and folders are named in kebab-case',
    looksAt: isCode,
    breaks: (file) =>
      file.path
        .split('/')
        .filter((part) => !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/.test(part))
        .map((part) => `has the name ${part}`),
  },
  {
    sentence: 'there is no .tsx outside web/, since Node runs the rest as it is',
    looksAt: isTypeScript,
    breaks: (file) => (file.path.endsWith('.tsx') && !file.path.startsWith('web/') ? ['is a .tsx'] : []),
  },
];

export const rules: Rule[] = [...importRules, ...textRules, ...nameRules];

/** Every break of a rule, as '<file> <what it does>'. */
export function breaksOf(rule: Rule, files: readonly SourceFile[]): string[] {
  return files.filter(rule.looksAt).flatMap((file) => rule.breaks(file).map((what) => `${file.path} ${what}`));
}
