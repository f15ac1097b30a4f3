import type { DependencyType, ICruiseOptions, IForbiddenRuleType } from 'dependency-cruiser';

const words = (text: string) => text.split(' ');

/** The rooms of `server/`, files beside its folders included: each imports only those before it. */
const serverRooms = words(
  'process database cache http features image-columns.ts starter app.ts jobs testing cli serve.ts main.mjs',
);

/** The slices of `server/features/`: each imports only those before it. */
export const slices = [
  'backup sms uploads users notifications push audit entry',
  'payment-types pages catalogue beneficiaries tickets accounts payments/intake payments/matching payments/closing alarms dashboard',
].flatMap(words);

/** The rooms of `web/`, and what each imports of those before it. */
const webRooms: Record<string, string> = {
  ui: '',
  'store.ts': '',
  'addresses.ts': '',
  'browsers.ts': '',
  'router.tsx': 'ui',
  'admin-addresses.ts': 'addresses.ts',
  worker: 'addresses.ts',
  api: 'store.ts',
  push: 'api store.ts',
  text: 'api',
  forms: 'api store.ts text ui',
  catalogue: 'text ui',
  session: 'addresses.ts router.tsx api forms push store.ts text ui',
  'order-draft.ts': 'api session store.ts',
  'order-again.ts': 'addresses.ts order-draft.ts router.tsx api forms ui',
  contact: 'api forms text ui',
  tickets: 'addresses.ts order-again.ts api forms session text ui',
  shell: 'addresses.ts router.tsx api session store.ts ui',
  account: 'addresses.ts router.tsx api forms push session shell store.ts text ui',
  build: 'addresses.ts browsers.ts api session shell store.ts',
  features:
    'addresses.ts admin-addresses.ts order-again.ts order-draft.ts router.tsx account api catalogue contact forms session shell store.ts text tickets ui',
};
const webEntries = words('user-screens.tsx app.tsx main.tsx vite.config.ts styles.css user-screens.css');

const anyOf = (names: readonly string[]) => `(?:${names.map((name) => name.replaceAll('.', '\\.')).join('|')})(?:/|$)`;
const tests = '\\.test\\.ts$|^server/testing/';
/** A package, where it is installed and where it is not. */
const npm = (names: string) => `^(?:node_modules/)?(?:${names})(?:/|$)`;

type Where = [path: string, but?: string];
type Kind = { dependencyTypes?: DependencyType[]; dependencyTypesNot?: DependencyType[] };

/** What stands in one place, but some of it, never imports what stands in another, but some of that. */
const never = (name: string, from: Where, to: Where, kind: Kind = {}): IForbiddenRuleType => {
  const place = ([at, but]: Where) => ({ path: at || '.', ...(but && { pathNot: but }) });
  return { name, severity: 'error', from: place(from), to: { ...place(to), ...kind } };
};

const inOrder = (folder: string, names: readonly string[]) => [
  ...names.map((name, index) => {
    const before = anyOf(names.slice(0, index + 1));
    const sentence = `of ${folder}/ only what stands before it: ${name}`;
    return never(sentence, [`^${folder}/${anyOf([name])}`, tests], [`^${folder}/`, `^${folder}/${before}`]);
  }),
  never(`every room of ${folder}/ has its place`, ['', tests], [`^${folder}/`, `^${folder}/${anyOf(names)}`]),
];

const local: Kind = { dependencyTypes: ['local'] };
const ours = '^(?:contract|server|web)/';
/** Files of a slice by what they are: `routes.ts`, or `<part>-routes.ts` of a part of it. */
const kinds = (names: string) => `[/-](?:${names})\\.ts$`;
/** The session and the flow of a code lie in cookies of the request, and the audit is a hook on every answer. */
const onRequests = `entry/(?:session-)?cookies?\\.ts$|audit/register-audit\\.ts$|.+${kinds('routes')}`;

const forbidden: IForbiddenRuleType[] = [
  never('contract/ imports zod and itself', ['^contract/', '\\.test\\.ts$'], ['', `^contract/|${npm('zod')}`]),
  never(
    'its tests also vitest, fast-check and the phone table',
    ['^contract/.*\\.test\\.ts$'],
    ['', `^contract/|${npm('zod|vitest|fast-check|libphonenumber-js')}`],
  ),
  never('server/ imports itself and contract/', ['^server/'], ['', '^(?:server|contract)/'], local),
  never('web/ imports itself and contract/', ['^web/'], ['', '^(?:web|contract)/'], local),
  never(
    'web/ui imports itself, React and its menu',
    ['^web/ui/', tests],
    ['', `^web/ui/|${npm('(?:@types/)?react(?:-dom)?|@radix-ui/react-dropdown-menu')}`],
  ),
  never('server/testing is for tests', ['^server/', tests], ['^server/testing/']),
  ...inOrder('server', serverRooms),
  ...inOrder('server/features', slices),
  never(
    "no slice imports another one's routes.ts",
    ['^server/features/((?:payments/)?[^/]+)/'],
    [`^server/features/.+${kinds('routes')}`, '^server/features/$1/'],
  ),
  never('present.ts is for routes.ts', ['^server/features/', `${tests}|${kinds('routes')}`], ['/present\\.ts$']),
  ...Object.entries(webRooms).map(([room, others], index, all) => {
    const before = all.slice(0, index).map(([name]) => name);
    const allowed = [room, ...words(others).filter((name) => before.includes(name))];
    const from: Where = [`^web/${anyOf([room])}`, tests];
    return never(`of web/ only what its list has: ${room}`, from, ['^web/', `^web/${anyOf(allowed)}`]);
  }),
  never(
    'every room of web/ has its place',
    [''],
    ['^web/', `^web/${anyOf([...Object.keys(webRooms), ...webEntries])}`],
  ),
  never('web slices never import one another', ['^web/features/([^/]+)/'], ['^web/features/', '^web/features/$1/']),
  never(
    'drizzle is for store.ts, tables.ts and server/database',
    [ours, `\\.test\\.ts$|^server/features/.+${kinds('store|tables')}|^server/database/`],
    [npm('drizzle-[^/]+')],
  ),
  never(
    'Fastify is for app.ts, server/http, routes.ts and what works on requests',
    [ours, `${tests}|^server/(?:app\\.ts$|http/|jobs/worker\\.ts$|features/(?:${onRequests}))`],
    [npm('@?fastify[^/]*')],
  ),
  never(
    "the worker takes the type of the application's logger alone",
    ['^server/jobs/worker\\.ts$'],
    [npm('@?fastify[^/]*')],
    { dependencyTypesNot: ['type-only'] },
  ),
  never("a neighbour is imported as './x.ts'", ['^(.+)/[^/]+$'], ['^$1/[^/]+$'], { dependencyTypes: ['aliased'] }),
  never("what is elsewhere is imported as '#contract/…', '#server/…' or '#web/…'", ['^(.+)/[^/]+$'], ['', '^$1/'], {
    ...local,
    dependencyTypesNot: ['aliased'],
  }),
  never('no drawers', [''], [`${ours}.*\\b(?:utils?|helpers?|misc|common)(?:/|\\.[^/]+$)`]),
  never('folders in kebab-case', [''], [`${ours}.*[^a-z0-9/-].*/`]),
  never('.tsx is for web/', [''], ['^(?:contract|server)/.*\\.tsx$']),
];

/** For dependency-cruiser, which reads types, dynamic imports and `import('x').T` with the parser of TypeScript 5. */
export const importRules: ICruiseOptions = {
  validate: true,
  ruleSet: { forbidden },
  doNotFollow: { path: 'node_modules' },
  tsPreCompilationDeps: true,
  parser: 'tsc',
};
