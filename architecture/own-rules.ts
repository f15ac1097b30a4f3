import path from 'node:path';
import { listPaths, readFiles, type SourceFile } from './files.ts';
import { places, slices } from './imports.ts';

const isTest = (file: SourceFile) => /\.(?:test|spec)\.ts$|^server\/testing\//.test(file.path);
const inSlices = (files: SourceFile[], name: RegExp) =>
  files.filter((file) => /^server\/features\//.test(file.path) && name.test(path.basename(file.path)) && !isTest(file));

function leftToDo(files: SourceFile[]): string[] {
  const note = /(?:\/\/|\/\*|<!--|^\s*\*).*?(?:\bTODO\b|\bFIXME\b|\bXXX:)/m;
  const found = files.filter((file) => !/\.md$|^architecture\//.test(file.path) && note.test(file.text));
  return found.map((file) => `${file.path} has a comment that leaves something to do`);
}

/** A store answers rows: a type that a presenter takes from the contract is an answer's. */
function storesThatAnswer(files: SourceFile[]): string[] {
  const typesOf = ({ text }: SourceFile) =>
    [...text.matchAll(/^import (?:type )?\{([^}]*)\} from '(#contract\/[^']+)'/gm)].flatMap(([, names = '', from]) =>
      [...names.matchAll(/\b[A-Z]\w*/g)].map((name) => `${name} of ${from}`),
    );
  const answers = new Set(inSlices(files, /^present\.ts$/).flatMap(typesOf));
  return inSlices(files, /^store\.ts$/).flatMap((file) => {
    const taken = typesOf(file).filter((type) => answers.has(type));
    return taken.map((type) => `${file.path} imports ${type}, the type of an answer`);
  });
}

/** What routes.ts, store.ts and the like hold is said by their names; a file that is named for a function is for that one. */
function filesOfTwoFunctions(files: SourceFile[]): string[] {
  const exported = /^export (?:async )?(?:function (\w+)|const (\w+) = (?:async )?(?:\(|<|function|\w+ =>))/gm;
  return inSlices(files, /^(?!(?:routes|store|tables|present)\.)/).flatMap((file) => {
    const names = [...file.text.matchAll(exported)].map(([, first, second]) => first ?? second ?? '');
    const ofFile = path.basename(file.path, '.ts').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    const others = names.includes(ofFile) ? names.filter((name) => name !== ofFile) : [];
    return others.map((name) => `${file.path} is named for one function and exports ${name} too`);
  });
}

function endpointsElsewhere(files: SourceFile[]): string[] {
  // What no slice owns: the process's health, and the starter data, which fills several slices.
  const homes = [...slices, 'health', 'init-data'].map((slice) => `contract/${slice}.ts`);
  return files
    .filter((file) => file.path.startsWith('contract/') && !isTest(file) && / = endpoint\(/.test(file.text))
    .filter((file) => !homes.includes(file.path))
    .map((file) => `${file.path} declares an endpoint, and is named for no slice`);
}

/**
 * Browser tests of a worker share a product: two accounts of one number are one too many where they meet. A number whose
 * last digits are computed is compared with those of other files by its first ones.
 */
function phonesOfTwoPeople(files: SourceFile[]): string[] {
  const phones = files
    .filter(({ path: name }) => /^e2e\/.*\.spec\.ts$/.test(name))
    .flatMap((file) =>
      [...file.text.matchAll(/\bphone: [^,}\n]*|\bperson(?:Of)?\([^)\n]*\)/g)].flatMap(([text]) =>
        [...text.matchAll(/['`](\d{5,8})(?=['$])/g)].map(([, phone = '']) => ({ phone, place: file.path })),
      ),
    );
  return phones.flatMap(({ phone, place }, at) => {
    const other = phones
      .slice(at + 1)
      .find((each) => each.phone === phone || (each.place !== place && isPartOf(each.phone, phone)));
    return other ? `${other.place} gives a person the number ${other.phone}, which ${place} gives` : [];
  });
}

const isPartOf = (one: string, other: string) => one.startsWith(other) || other.startsWith(one);

/** A folder of contract, server, web or their features, or what is beside those. */
const room = /^(?:contract|(?:server|web)\/features\/[^/]+|(?:server|web)\/[^/]+(?=\/)|server|web)(?=\/)/;

/** The lines of TypeScript, CSS and SQL of each room of the product, without tests, and of all of them. */
export function sizesOfRooms(root: string): [room: string, lines: number][] {
  const sizes = new Map<string, number>();
  for (const file of readFiles(root).filter((each) => /\.(?:tsx?|mjs|css|sql)$/.test(each.path) && !isTest(each))) {
    const name = room.exec(file.path)?.[0];
    for (const each of name ? [name, 'all'] : [])
      sizes.set(each, (sizes.get(each) ?? 0) + file.text.split('\n').length - 1);
  }
  return [...sizes].sort();
}

/** Every break of the rules that neither Biome nor dependency-cruiser can say, as '<file or room> <what it does>'. */
export function brokenOwnRules(root: string): string[] {
  const [files, paths] = [readFiles(root), listPaths(root)];
  const documents = files.filter((file) => file.path.endsWith('.md')).map((file) => file.text);
  const pictures = paths.filter((file) => /^docs\/screens\//.test(file));
  const configured = files.find((file) => file.path === 'biome.json')?.text ?? '';
  const excepted = [...configured.matchAll(/"!?(\w+\/[\w./-]+\w)(?:\/\*\*)?"/g)].map(([, place = '']) => place);
  return [
    ...leftToDo(files),
    ...storesThatAnswer(files),
    ...filesOfTwoFunctions(files),
    ...endpointsElsewhere(files),
    ...phonesOfTwoPeople(files),
    ...pictures.flatMap((file) =>
      documents.some((text) => text.includes(file)) ? [] : `${file} is shown by no document`,
    ),
    ...places.flatMap((place) =>
      paths.includes(place) ? [] : `architecture/imports.ts names ${place}, which does not exist`,
    ),
    ...excepted.flatMap((place) => (paths.includes(place) ? [] : `biome.json names ${place}, which does not exist`)),
  ];
}
