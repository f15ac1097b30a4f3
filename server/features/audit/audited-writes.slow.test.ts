// In full: 500 decisions.
import './audited-writes.test.ts';
