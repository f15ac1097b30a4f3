// In full: every final service.
import './write-starter-data.test.ts';
