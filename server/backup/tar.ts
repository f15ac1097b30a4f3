import { Readable } from 'node:stream';
import { createTarDecoder, createTarPacker } from 'modern-tar';
import type { Entry } from './format.ts';

/** The bytes of a tar of these entries, read as they are written. */
export async function* packTar(entries: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const packed = pack(entries, controller).catch((error: unknown) => controller.error(error));
  yield* readable;
  await packed;
}

async function pack(
  entries: AsyncIterable<Entry>,
  controller: ReturnType<typeof createTarPacker>['controller'],
): Promise<void> {
  for await (const { name, content } of entries) {
    const body = controller.add({ name, size: content.length }).getWriter();
    await body.write(new Uint8Array(content.buffer, content.byteOffset, content.length));
    await body.close();
  }
  controller.finalize();
}

/** A piece of an entry. Each entry has one without bytes first. */
export interface EntryPiece {
  entry: string;
  piece: Buffer;
}

/** What a tar holds, piece by piece. Throws for what is no tar, and for one that is cut short. */
export async function* unpackTar(tar: Readable): AsyncGenerator<EntryPiece> {
  const bytes = Readable.toWeb(tar) as globalThis.ReadableStream<Uint8Array>;
  for await (const { header, body } of bytes.pipeThrough(createTarDecoder({ strict: true }))) {
    yield { entry: header.name, piece: Buffer.alloc(0) };
    for await (const piece of body)
      yield { entry: header.name, piece: Buffer.from(piece.buffer, piece.byteOffset, piece.length) };
  }
}
