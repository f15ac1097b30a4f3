// In full: a month of 2,000 sign-ups.
import './clean-up.test.ts';
