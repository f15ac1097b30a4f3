// In full: three times as many messages.
import './waiting.test.ts';
