import type { Endpoint } from '#contract/endpoint.ts';
import { uploadStillMs } from './limits.ts';

/** A proxy's own refusal has no sentence, and its limit is not the product's. */
const refusedOnTheWay = JSON.stringify({
  code: 'TOO_LARGE',
  message:
    'Ce fichier est trop volumineux pour le serveur placé devant Guichet. Choisissez-en un plus petit, ou faites relever la limite de ce serveur.',
});

interface FileCall {
  address: string;
  headers: Record<string, string>;
  body: object | undefined;
  file: File | undefined;
}

/**
 * Sends a form with a file, and answers as `fetch` does. It is given up when nothing has moved for `uploadStillMs`, however
 * long the whole takes. Rejects then, and without a line.
 */
export function sendUpload(
  { method, upload }: Endpoint & { upload: NonNullable<Endpoint['upload']> },
  { address, headers, body, file }: FileCall,
): Promise<Response> {
  const form = new FormData();
  if (upload.dataField) form.set(upload.dataField, JSON.stringify(body ?? {}));
  else for (const [name, value] of Object.entries(body ?? {})) form.set(name, String(value));
  if (file) form.set(upload.fileField, file);
  return new Promise((resolve, reject) => {
    // `fetch` does not tell what has left.
    const request = new XMLHttpRequest();
    let still: ReturnType<typeof setTimeout>;
    const wait = () => {
      clearTimeout(still);
      still = setTimeout(() => request.abort(), uploadStillMs);
    };
    request.open(method, address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = wait;
    request.onprogress = wait;
    request.onloadend = () => {
      clearTimeout(still);
      const { status, statusText, responseText } = request;
      if (status === 0) return reject(new Error('no answer'));
      const isOurs = status !== 413 || responseText.includes('"code"');
      resolve(new Response(isOurs ? responseText : refusedOnTheWay, { status, statusText }));
    };
    wait();
    request.send(form);
  });
}
