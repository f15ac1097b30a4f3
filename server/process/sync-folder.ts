import { open } from 'node:fs/promises';

/** Errors of file systems that need no fsync of a folder and have none; PostgreSQL ignores them too. */
const needless = ['EINVAL', 'EBADF'];

/** Writes a folder's names to the disk, or throws. Without it a power cut may undo a rename. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!needless.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await handle.close();
  }
}
