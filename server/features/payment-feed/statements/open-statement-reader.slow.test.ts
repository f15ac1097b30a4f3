// In full: also files that fill memory.
import './open-statement-reader.test.ts';
