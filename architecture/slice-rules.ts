import type { ESTree } from 'vite';
import type { SourceFile } from './files.ts';
import { slices } from './order.ts';
import { forbid, isIn, isTest, isTypeScript, type Rule } from './rule.ts';
import { type Import, importsOf, nameOf, nodesOf, textOf } from './syntax.ts';

const inContract = (file: SourceFile) => isIn('contract')(file) && isTypeScript(file) && !isTest(file);
const inSlices = (file: SourceFile) => isIn('server/features')(file) && isTypeScript(file) && !isTest(file);
const isNamed = (name: string) => (file: SourceFile) => inSlices(file) && file.path.endsWith(`/${name}`);

/** The contract's types that an import takes, as '<file> <type>'. */
const typesOf = ({ target, names }: Import) =>
  target?.startsWith('contract/') ? names.filter((name) => /^[A-Z]/.test(name)).map((name) => `${target} ${name}`) : [];

const endpointsOf = (file: SourceFile) =>
  nodesOf(file).filter((node) => node.type === 'CallExpression' && nameOf(node.callee) === 'endpoint');

/** The `operation` in `endpoint({ operation: 'x' })`. */
function operationOf(call: ESTree.Node): string | undefined {
  const spec = call.type === 'CallExpression' ? call.arguments[0] : undefined;
  const properties = spec?.type === 'ObjectExpression' ? spec.properties : [];
  const operation = properties.find((each) => each.type === 'Property' && nameOf(each.key) === 'operation');
  return operation?.type === 'Property' ? textOf(operation.value) : undefined;
}

/** The name a value is exported under where it is declared: `export const name = value`. */
function exportedName(value: ESTree.Node): string | undefined {
  const declarator = value.parent;
  const isExported = declarator?.parent?.parent?.type === 'ExportNamedDeclaration';
  return isExported && declarator.type === 'VariableDeclarator' ? nameOf(declarator.id) : undefined;
}

/** The functions a file exports where it declares them. */
function exportedFunctions(file: SourceFile): string[] {
  return nodesOf(file).flatMap((node) => {
    if (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression') return exportedName(node) ?? [];
    const isExported = node.type === 'FunctionDeclaration' && node.parent?.type === 'ExportNamedDeclaration';
    return isExported && node.id ? node.id.name : [];
  });
}

const inKebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What routes.ts, store.ts and the like hold is said by their names; every other file is named for what it does. */
const roles = ['routes.ts', 'store.ts', 'tables.ts', 'present.ts'];

export const sliceRules: Rule[] = [
  {
    sentence: 'an endpoint is exported under the name of its operation',
    looksAt: inContract,
    breaks: (file) =>
      endpointsOf(file).flatMap((call) => {
        const operation = operationOf(call);
        if (operation === undefined) return ['declares an endpoint whose operation is no plain text'];
        const name = exportedName(call);
        if (name === undefined) return [`does not export ${operation} where it is declared`];
        return name === operation ? [] : [`exports ${operation} as ${name}`];
      }),
    broken: [
      { 'contract/a.ts': "export const readThing = endpoint({ method: 'GET', operation: 'listThings' });" },
      { 'contract/a.ts': "const readThing = endpoint({ operation: 'readThing' });\nexport { readThing };" },
      { 'contract/a.ts': 'export const readThing = endpoint({ operation: name });' },
      { 'contract/a.ts': "export const all = [endpoint({ operation: 'all' })];" },
    ],
    fine: [
      { 'contract/a.ts': "export const readThing = endpoint({ operation: 'readThing', failures: [] });" },
      { 'contract/a.test.ts': 'const bare = endpoint({});' },
    ],
  },
  {
    sentence: 'an endpoint stands in the file of contract/ that is named for its slice',
    looksAt: inContract,
    except: {
      'contract/health.ts': 'asks about the process, which no slice owns',
      'contract/init-data.ts': 'asks for the starter data, which fills several slices',
    },
    breaks(file) {
      const isFeature = slices.some((slice) => file.path === `contract/${slice}.ts`);
      return isFeature ? [] : endpointsOf(file).map((call) => `declares ${operationOf(call) ?? 'an endpoint'}`);
    },
    broken: [{ 'contract/shapes.ts': "export const readThing = endpoint({ operation: 'readThing' });" }],
    fine: [
      { 'contract/tickets.ts': "export const readThing = endpoint({ operation: 'readThing' });" },
      { 'contract/endpoint.ts': 'export function endpoint(spec) {\n  return spec;\n}' },
    ],
  },
  {
    sentence: 'a store answers rows: it imports no presenter and no type of an answer',
    looksAt: isNamed('store.ts'),
    breaks(file, files) {
      const answers = new Set(files.filter(isNamed('present.ts')).flatMap(importsOf).flatMap(typesOf));
      return forbid((used) => used.target?.endsWith('/present.ts') || typesOf(used).some((type) => answers.has(type)))(
        file,
      );
    },
    broken: [
      { 'server/features/tickets/store.ts': "import { presentTicket } from './present.ts';" },
      {
        'server/features/tickets/store.ts': "import type { Ticket } from '#contract/tickets.ts';",
        'server/features/tickets/present.ts': "import type { Ticket } from '#contract/tickets.ts';",
      },
    ],
    fine: [
      {
        'server/features/tickets/store.ts': "import { limit, type NewTicket } from '#contract/tickets.ts';",
        'server/features/tickets/present.ts': "import { limit, type Ticket } from '#contract/tickets.ts';",
      },
    ],
  },
  {
    sentence: 'present.ts is imported by routes.ts only',
    looksAt: (file) => inSlices(file) && !isNamed('routes.ts')(file),
    breaks: forbid(({ target }) => target?.endsWith('/present.ts') === true),
    broken: [
      { 'server/features/tickets/create-ticket.ts': "import { presentTicket } from './present.ts';" },
      { 'server/features/tickets/store.ts': "import { presentUser } from '#server/features/users/present.ts';" },
    ],
    fine: [{ 'server/features/tickets/routes.ts': "import { presentUser } from '#server/features/users/present.ts';" }],
  },
  {
    sentence: 'a file of a slice that is named for a function it exports exports no other one',
    looksAt: (file) => inSlices(file) && !roles.some((role) => isNamed(role)(file)),
    breaks(file) {
      const own = file.path.split('/').at(-1)?.replace(/\.ts$/, '');
      const names = exportedFunctions(file);
      if (!names.some((name) => inKebabCase(name) === own)) return [];
      return names.filter((name) => inKebabCase(name) !== own).map((name) => `also exports ${name}`);
    },
    broken: [
      {
        'server/features/tickets/create-ticket.ts':
          'export async function createTicket() {}\nexport function checkTicket() {}',
      },
      {
        'server/features/tickets/create-ticket.ts':
          'export const createTicket = async () => 1;\nexport const keyOf = (id: number) => String(id);',
      },
    ],
    fine: [
      {
        'server/features/tickets/create-ticket.ts':
          'export interface Order {}\nexport const limit = 3;\nexport async function createTicket() {}\nfunction check() {}',
      },
      { 'server/features/auth/codes.ts': 'export function sendCode() {}\nexport function checkCode() {}' },
    ],
  },
];
