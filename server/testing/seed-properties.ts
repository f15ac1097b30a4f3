import fc from 'fast-check';
import { inject } from 'vitest';

/** The same values in each run, so that what fails fails again; a property that fails says its seed and the path to its values. */
fc.configureGlobal({ seed: inject('propertySeed') });
