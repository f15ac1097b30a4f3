// In full: every write, after which every reader reads everything.
import './topics.test.ts';
