/** wouter brings a shim for React 16 and 17; React 19 has the hook itself, so the build takes this in its place. */
export { useSyncExternalStore } from 'react';
