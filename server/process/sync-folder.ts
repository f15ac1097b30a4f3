import { open } from 'node:fs/promises';

/** What file systems say that keep a folder's names by themselves, and have no fsync for one; PostgreSQL lets it pass too. */
const needless = ['EINVAL', 'EBADF'];

/** Has the disk keep the names in a folder, or throws: until then a power cut may undo a rename. */
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
