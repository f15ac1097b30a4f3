// In full: also files of 10 MB and of 256 megapixels.
import './refused-uploads.test.ts';
