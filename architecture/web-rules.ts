import type { ESTree } from 'vite';
import { addresses as webAddresses } from '#web/addresses.ts';
import type { SourceFile } from './files.ts';
import { isConfiguration, isIn, isTest, isTypeScript, type Rule } from './rule.ts';
import { ancestorsOf, nameOf, nodesOf } from './syntax.ts';

const inWeb = (file: SourceFile) => isIn('web')(file) && isTypeScript(file) && !isTest(file);

const collections = ['Map', 'Set', 'WeakMap', 'WeakSet'];

/** What a node keeps from one call of a module to the next. */
function keeps(node: ESTree.Node): string | undefined {
  if (node.type === 'VariableDeclaration') {
    const isTop = node.parent?.type === 'Program' || node.parent?.type === 'ExportNamedDeclaration';
    return isTop && node.kind !== 'const' && !node.declare ? node.kind : undefined;
  }
  if (node.type !== 'NewExpression' || !collections.includes(nameOf(node.callee))) return undefined;
  return ancestorsOf(node).some(runsLater) ? undefined : `new ${nameOf(node.callee)}`;
}

/** Whether what stands inside a node runs when it is called or built, and not as the module loads. */
const runsLater = (node: ESTree.Node) =>
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' ||
  node.type === 'ArrowFunctionExpression' ||
  (node.type === 'PropertyDefinition' && !node.static);

/** How the app's addresses begin: '/', '/auth', '/content' and so on. */
const beginnings = [...new Set(Object.values(webAddresses).map((address) => `/${address.split('/')[1]}`))];
/** The names of the addresses' query parameters, which web/addresses.ts alone reads and writes. */
const parameters = ['dans', 'onglet', 'q'];

/** Whether a text is an address of the web app, or begins with one. */
function isAddress(text: string): boolean {
  return beginnings.some((start) => {
    const rest = text.startsWith(start) ? text.slice(start.length) : undefined;
    // Everything begins with '/'; only with a query or an anchor is it the home page's.
    return rest === '' || rest?.startsWith('?') || rest?.startsWith('#') || (start !== '/' && rest?.startsWith('/'));
  });
}

const namesParameter = (text: string) =>
  parameters.some((name) => text === name || text.includes(`?${name}=`) || text.includes(`&${name}=`));

/** The texts a node holds: a literal's, a template's pieces, what a regular expression asks for. */
function textsOf(node: ESTree.Node): string[] {
  if (node.type === 'TemplateElement') return [node.value.cooked ?? ''];
  if (node.type !== 'Literal') return [];
  if ('regex' in node) return [node.regex.pattern.replaceAll('\\/', '/').replace(/^\^|\$$/g, '')];
  return typeof node.value === 'string' ? [node.value] : [];
}

/** '/' in `path.split('/')`, and between the gaps of a template, is what separates, and no address. */
function separates(node: ESTree.Node): boolean {
  if (node.type === 'TemplateElement') return node.value.cooked === '/';
  const isArgument = node.parent?.type === 'CallExpression' && node.parent.callee.type === 'MemberExpression';
  return node.type === 'Literal' && node.value === '/' && isArgument;
}

export const webRules: Rule[] = [
  {
    sentence: 'no module of web/ keeps state: no let beside its functions, no Map or Set',
    looksAt: (file) => inWeb(file) && !isConfiguration(file),
    breaks: (file) =>
      nodesOf(file)
        .flatMap((node) => keeps(node) ?? [])
        .map((what) => `keeps a ${what}`),
    broken: [
      { 'web/a.ts': 'let a = 1;' },
      { 'web/a.tsx': 'export var a: number | undefined;' },
      { 'web/a.ts': 'const answers = new Map<string, string>();' },
      { 'web/a.ts': 'export const seen = { all: new WeakSet<object>() };' },
      { 'web/a.ts': 'export class A {\n  static seen = new Set();\n}' },
    ],
    fine: [
      { 'web/a.ts': 'export const a = 1;\nexport function b() {\n  let c = new Map();\n  return c;\n}' },
      { 'web/a.ts': 'class A {\n  seen = new Set();\n}\nconst make = () => new Map();\ndeclare let b: number;' },
      { 'web/vite.config.ts': "const kept = new Set(['a']);" },
    ],
  },
  {
    sentence: "the web app's addresses and their parameters are written only in web/addresses.ts",
    looksAt: inWeb,
    except: {
      'web/addresses.ts': 'is where they are written',
      'web/search-address.ts': 'writes what the first screen has no use for',
      'web/api/client.ts': "asks whether a call's path, no page's, is the administrators'",
    },
    breaks: (file) =>
      nodesOf(file)
        .filter((node) => !separates(node))
        .flatMap(textsOf)
        .filter((text) => isAddress(text) || namesParameter(text))
        .map((text) => `writes '${text}'`),
    broken: [
      { 'web/a.tsx': "const a = <Link href='/auth'>Entrer</Link>;" },
      { 'web/a.tsx': 'const a = <Redirect to="/" />;' },
      { 'web/a.ts': "navigate('/otp-verification');" },
      { 'web/a.ts': 'navigate(`/notification/$' + '{id}`);' },
      { 'web/a.ts': 'open(`$' + '{origin}/tickets#$' + '{id}`);' },
      { 'web/a.ts': "const terms = '/content/conditions-utilisation';" },
      { 'web/a.ts': 'const isAdmin = /^\\/admin(?:\\/|$)/.test(path) || /^\\/admin\\//.test(path);' },
      { 'web/a.ts': "const ids = search.get('dans');" },
      { 'web/a.ts': 'const a = `$' + '{path}?onglet=$' + '{tab}`;' },
    ],
    fine: [
      {
        'web/a.tsx': "import { A } from '#web/features/tickets/a.tsx';\nconst a = <A className='w-1/2'>dans /auth</A>;",
      },
      { 'web/a.ts': "const a = [path.split('/'), '/api/tickets', '/authority', `$" + '{x}/$' + "{y}`, 'tickets'];" },
      { 'web/a.ts': "// navigate('/auth')\nnavigate(addresses.auth);" },
    ],
  },
];
