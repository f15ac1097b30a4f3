import type { SourceFile } from './files.ts';
import { serverNever, webRooms } from './order.ts';
import { forbid, isIn, isTest, isTypeScript, type Rule, roomOf } from './rule.ts';
import { importsOf } from './syntax.ts';

const isProduct = (folder: string) => (file: SourceFile) => isIn(folder)(file) && isTypeScript(file) && !isTest(file);

type Graph = Map<string, Set<string>>;

/** Which room of a side imports which others. */
function readRooms(side: string, files: readonly SourceFile[]): Graph {
  const graph: Graph = new Map();
  for (const file of files.filter(isProduct(side)))
    for (const { target } of importsOf(file))
      if (target?.startsWith(`${side}/`)) {
        const room = roomOf(file.path);
        graph.set(room, (graph.get(room) ?? new Set()).add(roomOf(target)));
      }
  return graph;
}

/** Whether one room imports another, itself or through others. */
function reaches(graph: Graph, from: string, to: string, seen = new Set<string>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return [...(graph.get(from) ?? [])].some((next) => reaches(graph, next, to, seen));
}

/** A folder is a room, and so is a file beside the folders. */
function noCircles(side: 'server' | 'web'): Rule {
  const graphs = new WeakMap<readonly SourceFile[], Graph>();
  return {
    sentence: `the folders of ${side}/ import one another in no circle`,
    looksAt: isProduct(side),
    breaks(file, files) {
      const graph = graphs.get(files) ?? readRooms(side, files);
      graphs.set(files, graph);
      const own = roomOf(file.path);
      return importsOf(file).flatMap(({ specifier, target }) => {
        if (!target?.startsWith(`${side}/`) || roomOf(target) === own) return [];
        const other = roomOf(target);
        return reaches(graph, other, own) ? [`imports ${specifier}, and ${other} imports ${own}`] : [];
      });
    },
    broken: [
      {
        [`${side}/a/a.ts`]: `import type { B } from '#${side}/b/b.ts';`,
        [`${side}/b/other.ts`]: `export { a } from '#${side}/a/other.ts';`,
      },
      {
        [`${side}/a/a.ts`]: `import { b } from '#${side}/b/b.ts';`,
        [`${side}/b/b.ts`]: `import { c } from '#${side}/c/c.ts';`,
        [`${side}/c/c.ts`]: `const a = import('#${side}/a/other.ts');`,
      },
      {
        [`${side}/file.ts`]: `import { a } from './a/a.ts';`,
        [`${side}/a/a.ts`]: `import { file } from '#${side}/file.ts';`,
      },
    ],
    fine: [
      {
        [`${side}/a/a.ts`]: `import { b } from '#${side}/b/b.ts';\nimport { other } from './other.ts';`,
        [`${side}/a/other.ts`]: "import { a } from './a.ts';",
        [`${side}/b/b.test.ts`]: `import { a } from '#${side}/a/a.ts';`,
        [`${side}/app.ts`]: `import { a } from './a/a.ts';\nimport { b } from './b/b.ts';`,
      },
    ],
  };
}

const serverRules: Rule[] = [
  {
    sentence: 'server/process imports nothing of server/ but itself',
    looksAt: isProduct('server/process'),
    breaks: forbid(({ target }) => target?.startsWith('server/') === true && !target.startsWith('server/process/')),
    broken: [{ 'server/process/a.ts': "import { connect } from '#server/database/connect.ts';" }],
    fine: [
      { 'server/process/a.ts': "import { b } from './b.ts';\nimport { c } from '#contract/c.ts';" },
      { 'server/process/a.test.ts': "import { start } from '#server/testing/server-process.ts';" },
    ],
  },
  ...Object.entries(serverNever).map(([room, others]): Rule => {
    const [first = ''] = others;
    return {
      sentence: `server/${room} imports nothing of ${others.join(', ')}`,
      looksAt: isProduct(`server/${room}`),
      breaks: forbid(({ target }) => target?.startsWith('server/') === true && others.includes(roomOf(target))),
      broken: others.map((other) => ({
        [`server/${room}/a.ts`]: `import { b } from '#server/${other.endsWith('.ts') ? other : `${other}/b.ts`}';`,
      })),
      fine: [
        { [`server/${room}/a.ts`]: "import { limits } from '#server/process/limits.ts';" },
        { [`server/${room}/a.test.ts`]: `import { b } from '#server/${first}/b.ts';` },
      ],
    };
  }),
  {
    sentence: 'server/testing is imported by tests and itself only',
    looksAt: (file) => isProduct('server')(file) && !isIn('server/testing')(file),
    breaks: forbid(({ target }) => target?.startsWith('server/testing/') === true),
    broken: [{ 'server/cli/a.ts': "import { buildUser } from '#server/testing/builders.ts';" }],
    fine: [
      { 'server/a.test.ts': "import { buildUser } from '#server/testing/builders.ts';" },
      { 'server/testing/a.ts': "import { buildUser } from './builders.ts';" },
    ],
  },
];

const webRules: Rule[] = [
  {
    sentence: 'a folder of web/ imports only those that architecture/order.ts gives it',
    looksAt: (file) => isProduct('web')(file) && file.path.split('/').length > 2,
    breaks(file) {
      const own = roomOf(file.path);
      const others = webRooms[own];
      if (!others) return ['is in a folder that has no place in the order of the folders'];
      return forbid(({ target }) => {
        const room = target?.startsWith('web/') ? roomOf(target) : own;
        return room !== own && !others.includes(room);
      })(file);
    },
    broken: [
      { 'web/api/a.ts': "import { money } from '#web/text/formats.ts';" },
      { 'web/text/a.ts': "import { useAuth } from '#web/session/auth.tsx';" },
      { 'web/session/a.ts': "import type { Frame } from '#web/shell/frame.tsx';" },
      { 'web/features/a/b.tsx': "import { App } from '#web/app.tsx';" },
      { 'web/other/a.ts': '' },
    ],
    fine: [
      { 'web/text/a.ts': "import { ApiError } from '#web/api/client.ts';\nimport { b } from './b.ts';" },
      { 'web/features/a/b.tsx': "import { addresses } from '#web/addresses.ts';\nimport '#contract/phone.ts';" },
      { 'web/app.tsx': "import { Frame } from './shell/frame.tsx';" },
    ],
  },
];

export const roomRules: Rule[] = [...serverRules, noCircles('server'), ...webRules, noCircles('web')];
