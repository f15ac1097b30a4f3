import { merchant } from '#server/starter/catalogue.ts';
import type { Check } from './finding.ts';

export const checkCatalogue: Check = {
  title: 'Catalogue',
  async look({ environment, pool }) {
    if (!pool) return [];
    const { rows } = await pool.query<{ name: string }>(
      'select name from services where strpos(phone_number, $1) > 0 order by id',
      [merchant],
    );
    const [first] = rows;
    if (!first) return [{ is: 'Aucun code ne porte le numéro de marchand du catalogue d’exemple.' }];
    const whose =
      rows.length === 1
        ? `Le code de « ${first.name} » porte`
        : `Les codes de ${rows.length} services, dont « ${first.name} », portent`;
    const is = `${whose} le numéro de marchand d’exemple ${merchant}.`;
    const mend =
      'Mettez-y le vôtre, dans Administration, Services : autrement personne ne reçoit ce que les gens paient.';
    return environment.NODE_ENV === 'production' ? [{ is, mend }] : [{ is }];
  },
};
