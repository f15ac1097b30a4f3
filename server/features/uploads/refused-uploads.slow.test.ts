// In full: 256 megapixels.
import './refused-uploads.test.ts';
