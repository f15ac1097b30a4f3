import path from 'node:path';
import { openImageStore } from '#server/features/uploads/open-image-store.ts';
import { type Check, reasonOf } from './finding.ts';

const probe = Buffer.from('guichet doctor');

export const checkStorage: Check = {
  title: 'Images',
  async look({ home, environment }) {
    const isBucket = environment.STORAGE === 's3';
    if (home === undefined && !isBucket) return [];
    const folder = path.join(home ?? '', 'uploads');
    const place = isBucket ? `le bucket « ${environment.S3_BUCKET} »` : folder;
    try {
      const images = await openImageStore(environment, folder, { error: () => {} });
      const url = await images.put(probe);
      const isKept = (await images.readFile(path.posix.basename(url)))?.equals(probe);
      await images.remove(url);
      if (isKept && !(await images.has(url))) return [{ is: 'Une image est écrite, relue et supprimée.' }];
      return [{ is: `Ce qui est écrit dans ${place} n’est pas relu tel quel.`, mend: 'Vérifiez ce qui est derrière.' }];
    } catch (error) {
      const mend = isBucket
        ? 'Vérifiez S3_ENDPOINT, S3_REGION, S3_BUCKET, les deux clés et leurs droits : lire, écrire, supprimer et lister.'
        : `Que le compte de Guichet puisse y écrire : chown -R guichet:guichet ${folder}`;
      return [{ is: `Les images ne peuvent pas être écrites dans ${place} (${reasonOf(error)}).`, mend }];
    }
  },
};
