export function linkLibraries(folder: string): void;
