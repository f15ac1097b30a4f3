export function whyNotServe(): string | undefined;
