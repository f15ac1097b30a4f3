// In full: every country.
import './journey.test.ts';
