// In full: sixty rules.
import './commission.test.ts';
