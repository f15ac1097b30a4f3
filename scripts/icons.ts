// Draws web/public/icon.svg at the sizes that phones need. Run it by hand after a change of the icon.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';

const folder = path.resolve(import.meta.dirname, '../web/public');
const icon = readFileSync(path.join(folder, 'icon.svg'), 'utf8');
/** Phones crop a maskable icon to their own shape: the background fills it, and the drawing stays in the middle. */
const maskable = icon
  .replace(' rx="14"', '')
  .replace('<path', '<g transform="translate(32 32) scale(.72) translate(-32 -32)"><path')
  .replace('</svg>', '</g></svg>');

/** Of a notification badge only the opacity is drawn. */
const badge = icon
  .replace(/<rect[^>]+>/, '')
  .replace('viewBox="0 0 64 64"', 'viewBox="4 2 56 56"')
  .replaceAll(/stroke="#\w+"/g, 'stroke="#fff"');

const drawn = [
  { name: 'badge-96.png', source: badge, size: 96 },
  { name: 'icon-180.png', source: icon.replace(' rx="14"', ''), size: 180 },
  { name: 'icon-192.png', source: icon, size: 192 },
  { name: 'icon-512.png', source: icon, size: 512 },
  { name: 'icon-maskable-512.png', source: maskable, size: 512 },
];
for (const { name, source, size } of drawn)
  await sharp(Buffer.from(source), { density: (72 * size) / 64 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toFile(path.join(folder, name));
