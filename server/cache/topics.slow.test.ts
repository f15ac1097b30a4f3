// In full: every reader reads everything.
import './topics.test.ts';
