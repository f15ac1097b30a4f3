/**
 * The SMS that carries a code. Every character is of the GSM-7 alphabet, so it costs one message; the last line lets a
 * browser fill the code in (WebOTP's format, `host` being the site's).
 */
export function codeText(code: string, purpose: 'signup' | 'reset', host: string | undefined): string {
  const aim = purpose === 'signup' ? 'de vérification' : 'de réinitialisation';
  const text = `Guichet : votre code ${aim} est ${code}. Il expire dans 5 minutes. Ne le donnez à personne.`;
  const filled = `${text}\n\n@${host} #${code}`;
  return host && filled.length <= 160 ? filled : text;
}
