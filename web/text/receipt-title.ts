/** 'Reçu du ticket n° 12', of the receipt and of the page that verifies it. */
export const receiptTitle = (ticketId: number) => `Reçu du ticket n° ${ticketId}`;
