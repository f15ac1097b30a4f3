import path from 'node:path';
import { localImageStore } from '#server/features/uploads/image-store.ts';
import { type Check, reasonOf } from './finding.ts';

const probe = Buffer.from('guichet doctor');

export const checkStorage: Check = {
  title: 'Images',
  async look({ home }) {
    if (home === undefined) return [];
    const folder = path.join(home, 'uploads');
    const images = localImageStore(folder);
    try {
      const url = await images.put(probe);
      const isKept = (await images.readFile(path.posix.basename(url)))?.equals(probe);
      await images.remove(url);
      if (isKept && !(await images.has(url))) return [{ is: 'Une image est écrite, relue et supprimée.' }];
      return [{ is: `Ce qui est écrit dans ${folder} n’est pas relu tel quel.`, mend: 'Vérifiez ce disque.' }];
    } catch (error) {
      const mend = `Que le compte de Guichet puisse y écrire : chown -R guichet:guichet ${folder}`;
      return [{ is: `Les images ne peuvent pas être écrites dans ${folder} (${reasonOf(error)}).`, mend }];
    }
  },
};
