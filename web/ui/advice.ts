/**
 * What to do about what could not be loaded or shown. What the browser itself throws, since it lacks or refuses something,
 * is no fault of the network, unless a module did not come: errors of the app are 'Error', 'ApiError' and 'NoAnswer'.
 */
export const adviceOn = (error: unknown): string =>
  /^(?:NoAnswer|(?:Api)?Error)\b|module/i.test(`${error}`)
    ? 'Vérifiez votre connexion et réessayez.'
    : 'Mettez votre navigateur à jour et réessayez.';
