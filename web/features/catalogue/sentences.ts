/** Sentences for loading and failed services. */
export const loading = 'Chargement des services...';
export const failure = 'Impossible de charger les services.';
