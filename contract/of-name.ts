/** 'd'Inès Sarr', 'de Moussa Traoré', before a name. A Y or an H at its head is spoken as a consonant, as in Yacouba and Hamidou. */
export const ofName = (name: string): string =>
  /^[aeiouœæ]/i.test(name.normalize('NFD')) ? `d'${name}` : `de ${name}`;
