import sharp, { type Sharp } from 'sharp';
import type { ImageOrder } from './encode-image.ts';
import type { EncodedImage } from './store.ts';

const watchMs = 20;
const webpOptions = { quality: 78 };

/** Whatever the threads of libvips are doing, for which an exit would wait. */
const end = () => process.kill(process.pid, 'SIGKILL');

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] });
sharp.concurrency(1);
sharp.cache(false);

process.once('disconnect', end);
process.once('message', async (order: ImageOrder) => {
  const { limits } = order;
  const [rss, used] = [process.memoryUsage.rss(), process.cpuUsage()];
  setInterval(() => {
    const { user, system } = process.cpuUsage(used);
    if (process.memoryUsage.rss() - rss > limits.grownBytes) end();
    if (user + system > limits.processorSeconds * 1e6) end();
  }, watchMs);
  const image = await encode(order).catch(() => null);
  process.send?.(image, end);
});

async function encode({ bytes: given, limits, sizes, largest }: ImageOrder): Promise<EncodedImage> {
  const limitInputPixels = limits.pixels;
  const isJpeg = given[0] === 0xff;
  // Behind a JPEG its end, which may be missing; of a PNG that was cut libpng reads the last 4 KB only where more stands behind.
  const bytes = Buffer.concat([given, isJpeg ? Buffer.from([0xff, 0xd9]) : Buffer.alloc(8_192)]);
  const decode = (failOn: 'none' | 'warning') =>
    sharp(bytes, { limitInputPixels, failOn })
      .autoOrient()
      .resize(largest, largest, { fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
  const { data, info } = await decode('warning').catch(async () => {
    await requireMost(sharp(isJpeg ? given : bytes, { limitInputPixels, failOn: 'truncated' }));
    return decode('none');
  });
  const { width, height, channels } = info;
  const picture = () => sharp(data, { raw: { width, height, channels } });
  const image: EncodedImage = { webp: await picture().webp(webpOptions).toBuffer() };
  for (const size of sizes)
    if (size < Math.max(width, height))
      image[`webp${size}`] = await picture().resize(size, size, { fit: 'inside' }).webp(webpOptions).toBuffer();
  return image;
}

/** Throws where more than the last quarter is missing: a transfer broke off. Each part of a progressive image is all of it. */
async function requireMost(damaged: Sharp): Promise<void> {
  const { width, height, isProgressive } = await damaged.metadata();
  const upper = { left: 0, top: 0, width, height: Math.ceil(height * 0.75) };
  if (!isProgressive) await damaged.extract(upper).resize(1, 1).toBuffer();
}
