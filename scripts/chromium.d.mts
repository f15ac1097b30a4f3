export function findChromium(): string | undefined;
export function ensureChromium(say: (sentence: string) => void): void;
