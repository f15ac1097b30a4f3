import { servicePictures } from './features/catalogue/store.ts';
import { backgroundImages } from './features/pages/store.ts';
import { paymentTypePictures } from './features/payment-types/store.ts';
import type { ImageColumn } from './features/uploads/store.ts';

/** Every column that holds an image's URL, as its slice declares it: an image that none of them holds is deleted. */
export const imageColumns: readonly ImageColumn[] = [servicePictures, paymentTypePictures, backgroundImages];
