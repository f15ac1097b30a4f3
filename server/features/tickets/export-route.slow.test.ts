// In full: more exports at a time than there may be.
import './export-route.test.ts';
