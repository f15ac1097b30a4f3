import { type ESTree, parseSync } from 'vite';
import { packageOf, type SourceFile, targetOf } from './files.ts';

/** One import of a file, in whatever form it is written. */
export interface Import {
  specifier: string;
  /** The file of this repository it means, written from its root; `undefined` for a package. */
  target: string | undefined;
  /** The package it means; `undefined` for a file of ours. */
  package: string | undefined;
  /** What it takes by name, as the imported file calls it. */
  names: readonly string[];
  /** Nothing of it is left when the program runs. */
  onlyTypes: boolean;
}

/** A file as the parser sees it. */
interface Syntax {
  nodes: readonly ESTree.Node[];
  imports: readonly Import[];
  comments: readonly string[];
  /** What the parser could not make sense of; empty for a file that parses. */
  errors: readonly string[];
}

const known = new WeakMap<SourceFile, Syntax>();

/** Reads a TypeScript or JavaScript file, once: each rule asks for it again. */
function syntaxOf(file: SourceFile): Syntax {
  const before = known.get(file);
  if (before) return before;
  const { program, comments, errors } = parseSync(file.path, file.text, { preserveParens: false });
  const nodes = collect(program);
  const syntax = {
    nodes,
    imports: nodes.flatMap((node) => readImport(file, node) ?? []),
    comments: comments.map((comment) => comment.value),
    errors: errors.map((error) => error.message),
  };
  known.set(file, syntax);
  return syntax;
}

/** Every node of a file from its top down, each with its `parent`. */
export const nodesOf = (file: SourceFile) => syntaxOf(file).nodes;
/** Static and dynamic imports, re-exports, `import('x').T`, `import x = require('x')` and `declare module 'x'`. */
export const importsOf = (file: SourceFile) => syntaxOf(file).imports;
/** What stands in the comments of a TypeScript or JavaScript file. */
export const commentsOf = (file: SourceFile) => syntaxOf(file).comments;
/** Why a file does not parse; empty when it does. */
export const errorsOf = (file: SourceFile) => syntaxOf(file).errors;

type Child = Exclude<ESTree.Node, ESTree.Program>;

const isNode = (value: unknown): value is Child =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function collect(node: ESTree.Node, found: ESTree.Node[] = []): ESTree.Node[] {
  found.push(node);
  const children = Object.entries(node).flatMap(([key, value]) => (key === 'parent' ? [] : value));
  for (const child of children.filter(isNode)) {
    child.parent = node;
    collect(child, found);
  }
  return found;
}

function readImport(file: SourceFile, node: ESTree.Node): Import | undefined {
  const made = (source: ESTree.Node | null, onlyTypes: boolean, names: string[] = []): Import | undefined => {
    const specifier = source ? textOf(source) : undefined;
    if (specifier === undefined) return undefined;
    return { specifier, target: targetOf(file.path, specifier), package: packageOf(specifier), names, onlyTypes };
  };
  switch (node.type) {
    case 'ImportDeclaration': {
      const named = node.specifiers.filter((each) => each.type === 'ImportSpecifier');
      const noValue = named.length > 0 && named.length === node.specifiers.length;
      const onlyTypes = node.importKind === 'type' || (noValue && named.every((each) => each.importKind === 'type'));
      return made(
        node.source,
        onlyTypes,
        named.map((each) => nameOf(each.imported)),
      );
    }
    case 'ExportNamedDeclaration': {
      const names = node.specifiers.map((each) => nameOf(each.local));
      return made(node.source, node.exportKind === 'type', names);
    }
    case 'ExportAllDeclaration':
      return made(node.source, node.exportKind === 'type');
    case 'ImportExpression':
      return made(node.source, false);
    case 'TSImportType':
      return made(node.source, true);
    case 'TSExternalModuleReference':
      return made(node.expression, false);
    case 'TSModuleDeclaration':
      return made(node.id, true);
    default:
      return undefined;
  }
}

/** The text of a literal or of a template without gaps; `undefined` for anything else. */
export function textOf(node: ESTree.Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral' || node.quasis.length !== 1) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}

/** The name an identifier or a quoted name gives; the empty text for what is computed. */
export function nameOf(node: ESTree.Node): string {
  if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') return node.name;
  return textOf(node) ?? '';
}

/** The expression without what TypeScript says about it: `x as T`, `x satisfies T`, `x!`. */
export function bare(node: ESTree.Node): ESTree.Node {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
      return bare(node.expression);
    default:
      return node;
  }
}

/** The nodes around one, the closest first. */
export function ancestorsOf(node: ESTree.Node): ESTree.Node[] {
  return node.parent ? [node.parent, ...ancestorsOf(node.parent)] : [];
}

/** Whether an identifier stands for a value, and does not name a member, a key, a parameter, a type or what is declared. */
export function isValue(node: ESTree.Node): boolean {
  const parent = node.parent;
  switch (parent?.type) {
    case undefined:
    case 'TSTypeQuery':
    case 'TSTypeReference':
    case 'TSQualifiedName':
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
    case 'ExportSpecifier':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
      return false;
    case 'MemberExpression':
      return parent.object === node || parent.computed;
    case 'Property':
      return parent.value === node || parent.computed;
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.key !== node || parent.computed;
    case 'VariableDeclarator':
      return parent.init === node;
    case 'AssignmentPattern':
      return parent.right === node;
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'TSDeclareFunction':
      return false;
    case 'ArrowFunctionExpression':
      return parent.body === node;
    default:
      return true;
  }
}
