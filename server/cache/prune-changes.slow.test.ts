// In full: four times as many orders of what happens.
import './prune-changes.test.ts';
