/** Every address of the web app, written once. */
export const paths = {
  home: '/',
  auth: '/auth',
  otp: '/otp-verification',
  forgotPassword: '/forgot-password',
  forgotPasswordOtp: '/forgot-password-otp',
  resetPassword: '/reset-password',
  summary: '/summary',
  tickets: '/tickets',
  notifications: '/notifications',
  notification: '/notification/:id',
  settings: '/settings',
  admin: '/admin',
  content: '/content/:slug',
} as const;

export const notificationPath = (id: number) => `/notification/${id}`;
export const ticketPath = (id: number) => `/tickets#ticket-${id}`;
export const contentPath = (slug: string) => `/content/${slug}`;
export const termsPath = contentPath('conditions-utilisation');
export const privacyPath = contentPath('politique-confidentialite');
