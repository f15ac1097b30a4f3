// In full: sixty catalogues.
import './catalogue-file.test.ts';
