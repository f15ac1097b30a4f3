import { randomBytes } from 'node:crypto';
import { type FileHandle, link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { CannotStart } from '#server/process/cannot-start.ts';
import { syncFolder } from '#server/process/sync-folder.ts';
import { type Entry, pieceBytes } from './format.ts';
import { seal } from './seal.ts';
import { withDigest } from './sums.ts';
import { packTar } from './tar.ts';

export interface Target {
  file: string;
  /** Seals the file. */
  passphrase?: string | undefined;
  /** Whether a file of that name may be replaced. */
  force?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Writes entries into a file that only its owner reads: a tar, compressed, sealed where there is a passphrase, on the disk and found
 * good by `check` when it has its name. Whatever fails leaves nothing. Throws `CannotStart` where it cannot be written.
 */
export async function writeBackupFile<Checked>(
  entries: AsyncIterable<Entry>,
  target: Target,
  check: (written: string) => Promise<Checked>,
): Promise<{ bytes: number; checked: Checked }> {
  const { file, passphrase, signal } = target;
  await requireFree(target);
  const { dir, base } = path.parse(file);
  await deleteAbandoned(dir, (name) => name === base);
  // Until it is whole: nobody else writes there, whoever else makes a backup of that name.
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  let handle: FileHandle | undefined;
  try {
    handle = await open(part, 'wx', 0o600);
    await writeInto(handle, entries, { passphrase, signal });
    await handle.sync();
    const { size } = await handle.stat();
    await handle.close();
    const checked = await check(part);
    await requireFree(target);
    await takeName(part, target);
    await syncFolder(dir);
    return { bytes: size, checked };
  } catch (error) {
    await handle?.close();
    if (handle) await rm(part, { force: true });
    throw signal?.aborted ? signal.reason : (whyNotWritten(error, file) ?? error);
  }
}

/** Gives the file its name. Of two that were made at once, and may not replace each other, the second one is refused. */
async function takeName(part: string, { file, force }: Target): Promise<void> {
  if (force) return rename(part, file);
  try {
    await link(part, file);
  } catch (error) {
    // Some disks know no second name.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    return rename(part, file);
  }
  await rm(part);
}

/** An unfinished file that nobody has written to for so long is nobody's: one that is being made is written to all the time. */
export const abandonedMs = 3_600_000;

/** Deletes what killed backups left, of those whose names are ours. */
export async function deleteAbandoned(folder: string, isOurs: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, whole] = /^(.+)\.[a-f0-9]{8}\.part$/.exec(name) ?? [];
    if (whole === undefined || !isOurs(whole)) continue;
    const part = path.join(folder, name);
    const found = await stat(part).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > abandonedMs) await rm(part, { force: true });
  }
}

async function writeInto(
  handle: FileHandle,
  entries: AsyncIterable<Entry>,
  { passphrase, signal }: Pick<Target, 'passphrase' | 'signal'>,
): Promise<void> {
  await pipeline(
    packTar(entries),
    createZstdCompress({ chunkSize: pieceBytes, params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
    withDigest,
    (pieces: AsyncIterable<Buffer>) => handle.writeFile(passphrase ? seal(pieces, passphrase) : pieces),
    { signal },
  );
}

/** Throws `CannotStart` where a file of that name is that may not be replaced, or where there is no folder for it. */
export async function requireFree({ file, force }: Pick<Target, 'file' | 'force'>): Promise<void> {
  const folder = await stat(path.dirname(file)).catch((cause: NodeJS.ErrnoException) => {
    throw notWritten(file, reasons[cause.code ?? ''] ?? `${cause.code}`, cause);
  });
  if (!folder.isDirectory()) throw notWritten(file, reasons.ENOTDIR as string);
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) throw new CannotStart(`${file} n'est pas un fichier : donnez un autre nom.`);
  if (found && !force)
    throw new CannotStart(`Le fichier ${file} existe déjà : donnez un autre nom, ou ajoutez --force.`);
}

const reasons: Record<string, string> = {
  ENOENT: "son dossier n'existe pas",
  ENOTDIR: "son dossier n'en est pas un",
  EACCES: "ce compte n'en a pas le droit",
  EPERM: "ce compte n'en a pas le droit",
  EROFS: 'ce disque est en lecture seule',
  ENOSPC: 'le disque est plein',
  EDQUOT: 'le quota du disque est atteint',
  EIO: 'le disque est en panne',
  EEXIST: 'une autre sauvegarde vient de prendre ce nom',
};

/** The sentence for a failure of the file itself; a database's has its own. */
function whyNotWritten(error: unknown, file: string): CannotStart | undefined {
  const { code = '', path: at = file, syscall } = error as NodeJS.ErrnoException;
  const reason = reasons[code];
  if (!reason || !at.startsWith(file) || syscall === 'connect') return undefined;
  return notWritten(file, reason, error);
}

const notWritten = (file: string, reason: string, cause?: unknown) =>
  new CannotStart(`La sauvegarde ${file} ne peut pas être écrite : ${reason}.`, { cause });
