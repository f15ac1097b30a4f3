// In full: five times as many places of a damage.
import './damage.test.ts';
