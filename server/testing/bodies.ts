import type { TestApi } from './test-api.ts';

/** What /summary sends for an order of the final service of `path`: 1 100 FCFA by Orange Money, unless told otherwise. */
export function orderBody(path: readonly { id: number }[], fields: object = {}) {
  return {
    serviceId: path.at(-1)?.id ?? 0,
    servicePath: path.map(({ id }) => ({ id })),
    beneficiaryPhoneNumber: '70 12 34 56',
    paymentTypeName: 'Orange Money',
    totalPrice: '1100',
    status: 'pending',
    ...fields,
  };
}

/** The multipart body of the service form: `data` as JSON (a text is sent as it is), and an image if there is one. */
export function serviceForm(data: object | string, image?: Buffer, filename = 'image.png'): FormData {
  const form = new FormData();
  form.append('data', typeof data === 'string' ? data : JSON.stringify(data));
  if (image) form.append('image', new Blob([new Uint8Array(image)]), filename);
  return form;
}

/** A multipart body of one image. */
export function imageForm(field: string, image: Buffer): FormData {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(image)]), 'image.jpg');
  return form;
}

/** The multipart body of a statement's import. */
export function statementForm(fields: Record<string, unknown>, statement: Buffer): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', new Blob([new Uint8Array(statement)]), 'releve.csv');
  return form;
}

/** How many rows a table has, of those that match `where` (SQL). */
export async function countRows({ pool }: Pick<TestApi, 'pool'>, table: string, where = 'true'): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from ${table} where ${where}`);
  return rows[0]?.count ?? -1;
}
