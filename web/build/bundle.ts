import type { Rolldown } from 'vite';

export type Bundle = Rolldown.OutputBundle;

/** The chunk of a module; throws if the module no longer exists. */
function chunkOf(bundle: Bundle, module: string): Rolldown.OutputChunk {
  const found = Object.values(bundle).find(
    (each) => each.type === 'chunk' && each.facadeModuleId?.replaceAll('\\', '/').endsWith(`/${module}`),
  );
  if (found?.type !== 'chunk') throw new Error(`the build has no chunk of ${module}`);
  return found;
}

export function sheetsOf(bundle: Bundle, chunks: Iterable<string>): string[] {
  const sheets = [...chunks].flatMap((file) => {
    const chunk = bundle[file];
    return chunk?.type === 'chunk' ? [...(chunk.viteMetadata?.importedCss ?? [])] : [];
  });
  return [...new Set(sheets)];
}

/** The files of a module's chunk and of its static imports; `later` selects dynamic imports to follow. */
export function closureOf(bundle: Bundle, module: string, later?: (file: string) => boolean): Set<string> {
  const found = new Set<string>();
  const add = (file: string) => {
    const chunk = bundle[file];
    if (found.has(file) || chunk?.type !== 'chunk') return;
    found.add(file);
    for (const each of chunk.imports) add(each);
    if (later) for (const each of chunk.dynamicImports.filter(later)) add(each);
  };
  add(chunkOf(bundle, module).fileName);
  return found;
}
