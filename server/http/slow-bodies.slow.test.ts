// In full: with the product's own periods.
import './slow-bodies.test.ts';
