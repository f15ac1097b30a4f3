import path from 'node:path';
import data from '@mdn/browser-compat-data' with { type: 'json' };
import type { Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data';
import ts from 'typescript';
import { minimumBrowsers } from '#web/browsers.ts';
import { listPaths } from './files.ts';

const chromium = Number(/^chrome(\d+)$/.exec(minimumBrowsers[0])?.[1]);

/** The first version that has a feature without a flag or a prefix. */
function since(statements: SimpleSupportStatement | SimpleSupportStatement[] = []): number {
  const whole = [statements]
    .flat()
    .filter(({ flags, prefix, alternative_name }) => !(flags || prefix || alternative_name));
  return Math.min(
    ...whole.map(({ version_added }) => Number.parseInt(String(version_added), 10) || Number.POSITIVE_INFINITY),
  );
}

interface BuiltIn {
  /** Empty for a global. */
  owner: string;
  isNewer: boolean;
  /** Of an object of the language, or a static member of the DOM's: their names are few enough to look for. */
  isTelling: boolean;
}

/** The built-ins of MDN's data by name, and whether they are newer than the floor, on desks and on phones. */
function readBuiltIns(): Map<string, BuiltIn[]> {
  const found = new Map<string, BuiltIn[]>();
  const read = (owner: string, key: string, { __compat, ...parts }: Identifier, isTelling: boolean) => {
    const name = key.replace(/_static$/, '');
    const { chrome, chrome_android } = (__compat?.support ?? {}) as Record<string, SimpleSupportStatement>;
    const isNewer = Math.min(since(chrome), since(chrome_android)) > chromium;
    const builtIn = { owner, isNewer, isTelling: isTelling || name !== key };
    if (__compat) found.set(name, [...(found.get(name) ?? []), builtIn]);
    for (const [part, each] of Object.entries(parts)) read(name, part, each, isTelling);
  };
  for (const [name, each] of Object.entries(data.javascript.builtins ?? {})) read('', name, each as Identifier, true);
  for (const [name, each] of Object.entries(data.api)) read('', name, each as Identifier, false);
  return found;
}

/** 'Array' for a member of Array, ReadonlyArray and ArrayConstructor in TypeScript's library; '' for a global. */
function ownerOf(declaration: ts.Declaration): string {
  let node: ts.Node | undefined = declaration.parent;
  while (node && !ts.isInterfaceDeclaration(node) && !ts.isVariableDeclaration(node)) node = node.parent;
  return node?.name?.getText().replace(/^Readonly(?=Array|Map|Set)|Constructor$/g, '') ?? '';
}

/** Every built-in in contract/ and web/ that is newer than the oldest supported Chromium. */
export function newerBuiltIns(root: string): string[] {
  const files = listPaths(root).filter(
    (file) => /^(?:contract|web)\/.*\.tsx?$/.test(file) && !/\.(?:test|config|d)\.ts$|^web\/build\//.test(file),
  );
  const program = ts.createProgram(
    files.map((file) => path.join(root, file)),
    {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.NodeNext,
      lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      jsx: ts.JsxEmit.ReactJSX,
      strict: true,
      allowImportingTsExtensions: true,
      types: [],
    },
  );
  const checker = program.getTypeChecker();
  const builtIns = readBuiltIns();
  // Asking for the type of every name would take the time of a compiler.
  const isSuspect = (all: BuiltIn[]) =>
    all.some(({ isNewer, isTelling }) => isNewer && isTelling) || all.every(({ isNewer }) => isNewer);
  const suspects = new Map([...builtIns].filter(([, all]) => isSuspect(all)));
  const isNewer = (name: string, declaration: ts.Declaration) => {
    const all = suspects.get(name) ?? [];
    const own = all.filter(({ owner }) => owner === ownerOf(declaration));
    // A mixin's member stands in the data with each interface that has it.
    return (own.length > 0 ? own : all).every((each) => each.isNewer);
  };
  return files.flatMap((file) => {
    const found = new Set<string>();
    const visit = (node: ts.Node) => {
      ts.forEachChild(node, visit);
      if (!ts.isIdentifier(node) || !suspects.has(node.text)) return;
      const { parent } = node;
      if (!ts.isPropertyAccessExpression(parent) && !ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return;
      const declarations = checker.getSymbolAtLocation(node)?.declarations ?? [];
      const ofLibrary = declarations.filter((each) => program.isSourceFileDefaultLibrary(each.getSourceFile()));
      if (ofLibrary.length > 0 && ofLibrary.every((each) => isNewer(node.text, each))) found.add(node.text);
    };
    const source = program.getSourceFile(path.join(root, file));
    if (source) visit(source);
    return [...found].map((name) => `${file} uses ${name}, which is newer than Chromium ${chromium}`);
  });
}
