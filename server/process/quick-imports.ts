/**
 * Imported before drizzle-orm. Node 26 reads the package.json around each `.js` file to know its format; drizzle's has 179 KB, and a start
 * loads a hundred of its files, all ES modules.
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
