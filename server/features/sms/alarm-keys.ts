/** The alarm of a gateway that fails. */
export const gatewayAlarm = (name: string): string => `gateway:${name}`;

/** The alarm of a gateway whose messages run out. */
export const balanceAlarm = (name: string): string => `sms-balance:${name}`;
