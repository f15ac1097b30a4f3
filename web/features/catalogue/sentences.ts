/** What the catalogue's screens say while its services come, and when they do not. */
export const loading = 'Chargement des services...';
export const failure = 'Impossible de charger les services.';
