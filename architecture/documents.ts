import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listPaths, made, readFiles, type SourceFile } from './files.ts';

/** What documents may name. */
interface Project {
  /** Every file and folder, written with `/` from the root. */
  paths: readonly string[];
  /** Names in package.json's `scripts`. */
  scripts: readonly string[];
  /** Names in package.json's dependencies of both kinds. */
  packages: readonly string[];
}

const isDocument = (file: SourceFile) =>
  /^(?:README|CONTRIBUTING|CHANGELOG|SECURITY)\.md$|^docs\/.*\.md$/.test(file.path);

const extension = /\.(?:tsx?|mjs|cjs|js|css|html|md|json|sql|ya?ml|toml|sh|service|conf)$/;
const mediaType = /^(?:application|audio|font|image|multipart|text|video)\/[\w.+-]+$/;
/** Products whose names end like files. */
const products = /^(?:Node|Next|Vue|Express|libphonenumber)\.?js$/i;

/** The backticked words of a document that look like files of this repository. */
function namedPaths(text: string, { packages }: Project): string[] {
  const prose = text.replace(/^(?:```|~~~)[\s\S]*?^(?:```|~~~)/gm, '');
  const ticked = [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => (match[1] ?? '').trim());
  const linked = [...prose.matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)].map((match) => match[1] ?? '');
  return [...ticked.filter((word) => word.includes('/') || extension.test(word)), ...linked].filter((word) => {
    if (!/^#?[\w.][\w.@/-]*$/.test(word) || /^\w+:/.test(word)) return false;
    if (made.test(word) || mediaType.test(word) || products.test(word)) return false;
    // '1/2', '24/7', '1.5/s' are no paths; 'libphonenumber-js/max' is a package's.
    return !/^[\d./]+\w?$/.test(word) && !packages.some((name) => word === name || word.startsWith(`${name}/`));
  });
}

/** Whether the repository has it: from the root, from the document's folder, or as the end of some path. */
function exists(word: string, document: string, { paths }: Project): boolean {
  const wanted = word.replace(/^#/, '').replace(/\/$/, '');
  const candidates = [wanted, path.posix.join(path.posix.dirname(document), wanted)].map(path.posix.normalize);
  return paths.some((known) => candidates.includes(known) || known.endsWith(`/${path.posix.normalize(wanted)}`));
}

/** Every path and npm script that a document names and the project lacks. */
function brokenNames(document: SourceFile, project: Project): string[] {
  const lost = namedPaths(document.text, project).filter((word) => !exists(word, document.path, project));
  const run = [...document.text.matchAll(/\bnpm run ([\w:-]+)/g)].map((match) => match[1] ?? '');
  const short = [...document.text.matchAll(/\bnpm (start|test)\b/g)].map((match) => match[1] ?? '');
  const unknown = [...run, ...short].filter((script) => !project.scripts.includes(script));
  return [
    ...[...new Set(lost)].map((word) => `${document.path} names ${word}, which does not exist`),
    ...[...new Set(unknown)].map((script) => `${document.path} names the npm script ${script}, which does not exist`),
  ];
}

/** Every paragraph of docs/product.md that a file cites, such as P2.1, and that is not there. */
function brokenCitations(files: readonly SourceFile[]): string[] {
  const promises = files.find((file) => file.path === 'docs/product.md')?.text ?? '';
  return files.flatMap((file) => {
    const cited = new Set(file.text.match(/\bP\d+\.\d+\b/g));
    return [...cited]
      .filter((number) => !promises.includes(`**${number}**`))
      .map((number) => `${file.path} cites ${number}, which docs/product.md lacks`);
  });
}

/** Every document that a file cites by its path, such as docs/product.md, and that is not there. */
function brokenReferences(files: readonly SourceFile[], { paths }: Project): string[] {
  return files
    .filter((file) => !isDocument(file))
    .flatMap((file) => {
      const cited = new Set(file.text.match(/\bdocs\/(?:[\w-]+\/)*[\w-]+\.md\b/g));
      return [...cited]
        .filter((name) => !paths.includes(name))
        .map((name) => `${file.path} cites ${name}, which does not exist`);
    });
}

/**
 * Every path and npm script that the documents name, and every promise and document that any file cites, that is not
 * there.
 */
export function brokenDocuments(root: string): string[] {
  const files = readFiles(root);
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<string, object>;
  const project: Project = {
    paths: listPaths(root),
    scripts: Object.keys(manifest.scripts ?? {}),
    packages: Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }),
  };
  return [
    ...files.filter(isDocument).flatMap((file) => brokenNames(file, project)),
    ...brokenReferences(files, project),
    ...brokenCitations(files),
  ];
}
