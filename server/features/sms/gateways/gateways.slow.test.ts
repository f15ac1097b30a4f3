// In full: gateways that keep one waiting, too.
import './gateways.test.ts';
