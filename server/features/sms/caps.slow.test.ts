// In full: twelve senders.
import './caps.test.ts';
