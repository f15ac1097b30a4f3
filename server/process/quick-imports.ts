/**
 * Import this before drizzle-orm. Otherwise Node 26 reads drizzle's package.json of 179 KB for each of a hundred files, to learn their
 * format.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context;
    if (specifier.startsWith('.') && parentURL.includes('/node_modules/drizzle-orm/') && parentURL.endsWith('.js'))
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
    return next(specifier, context);
  },
});
