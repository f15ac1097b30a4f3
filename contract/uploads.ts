/** 5 MB, read as 5 × 1024 × 1024 bytes. */
export const maximumImageBytes = 5 * 1024 * 1024;
export const imageTypes = ['image/jpeg', 'image/jpg', 'image/png', 'image/webp'] as const;
