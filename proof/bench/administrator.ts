import type { Product } from '../../e2e/product.ts';

/** The first administrator of a data folder that is used again: its password is known. */
export const administrator = { ADMIN_PHONE: '+22670000000', ADMIN_PASSWORD: 'mot-de-passe-du-banc' };

/** Signs the administrator in; answers the cookies to send. */
export async function signInAdministrator({ url }: Pick<Product, 'url'>): Promise<string> {
  const response = await fetch(`${url}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phoneOrEmail: administrator.ADMIN_PHONE, password: administrator.ADMIN_PASSWORD }),
  });
  if (!response.ok) throw new Error(`signin: ${response.status} ${await response.text()}`);
  const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0]);
  return cookies.join('; ');
}
