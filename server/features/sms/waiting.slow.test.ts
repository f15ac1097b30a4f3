// In full: also bursts beyond a gateway's rate, and which message goes first.
import './waiting.test.ts';
