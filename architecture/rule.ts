import type { SourceFile } from './files.ts';
import { type Import, importsOf } from './syntax.ts';

/** Files by their paths, to try a rule on. */
export type Sample = Readonly<Record<string, string>>;

/** Places a rule does not hold, each with its reason. A path ending in `/` means all below it. */
export type Exceptions = Readonly<Record<string, string>>;

/** One sentence that holds for many files. */
export interface Rule {
  /** The rule in a sentence; the test's name. */
  sentence: string;
  /** Which files it is about. */
  looksAt: (file: SourceFile) => boolean;
  except?: Exceptions;
  /** One phrase per break, to be read after the file's name; `files` is every file there is. */
  breaks: (file: SourceFile, files: readonly SourceFile[]) => readonly string[];
  /** Samples that must not pass: in each, the first file breaks the rule. */
  broken: readonly Sample[];
  /** Samples that resemble them and must pass. */
  fine: readonly Sample[];
}

/** Every break of a rule, as '<file> <what it does>'. */
export function breaksOf(rule: Rule, files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => rule.looksAt(file) && !isExcepted(file, rule.except ?? {}))
    .flatMap((file) => [...new Set(rule.breaks(file, files))].map((what) => `${file.path} ${what}`));
}

export const filesOf = (sample: Sample): SourceFile[] => Object.entries(sample).map(([path, text]) => ({ path, text }));

const isExcepted = (file: SourceFile, exceptions: Exceptions) =>
  Object.keys(exceptions).some((place) => (place.endsWith('/') ? file.path.startsWith(place) : file.path === place));

/** What the parser reads. */
export const isScript = (file: SourceFile) => /\.[cm]?[jt]sx?$/.test(file.path);
export const isTypeScript = (file: SourceFile) => /\.[cm]?tsx?$/.test(file.path);
export const isTest = (file: SourceFile) => /\.(?:test|spec)\.tsx?$/.test(file.path);
/** Read by a tool that builds or checks, never by the product as it runs. */
export const isConfiguration = (file: SourceFile) => /\.config\.ts$/.test(file.path);
export const isCode = (file: SourceFile) => isScript(file) || /\.(?:css|html)$/.test(file.path);

export const isIn =
  (...folders: string[]) =>
  (file: SourceFile) =>
    folders.some((folder) => file.path.startsWith(`${folder}/`));

/** The TypeScript of the product, its tests included. */
export const isOurs = (file: SourceFile) => isIn('contract', 'server', 'web')(file) && isTypeScript(file);

/** The slice a path belongs to, on one side of the house. */
export const sliceOf = (path: string, side: 'server' | 'web') =>
  new RegExp(`^${side}/features/([^/]+)/`).exec(path)?.[1];

/** The folder of `server/` or `web/` that a path is in, or the name of a file that is in none. */
export const roomOf = (path: string) => path.split('/')[1] ?? '';

/** A rule on each import by itself: `judge` answers whether it may not be. */
export const forbid = (judge: (used: Import, file: SourceFile) => boolean) => (file: SourceFile) =>
  importsOf(file)
    .filter((used) => judge(used, file))
    .map((used) => `imports ${used.specifier}`);
